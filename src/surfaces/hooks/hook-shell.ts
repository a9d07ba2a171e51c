// A bundle of its own: the parser costs a process that has just started some milliseconds, and few calls need it.
export { simpleCommands } from "../../app/guards/judge-calls.ts";
