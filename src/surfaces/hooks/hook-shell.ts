// A separate bundle: the parser costs a new process some milliseconds, and few calls need it.
export { simpleCommands } from "../../app/guards/judge-calls.ts";
