// Loaded before a bundle: what it asks of the system is answered as on Windows, and what only POSIX has is not there.
const os = require("node:os");
const isLoaded = typeof require("libsql") === "function"; // before: its engine is that of the system the tests run on
if (isLoaded) Object.defineProperty(process, "platform", { value: "win32" });
for (const name of ["getuid", "geteuid", "getgid", "getegid", "getgroups", "setuid", "setgid"])
  process[name] = undefined;
const userInfo = os.userInfo;
os.userInfo = (...args) => ({ ...userInfo(...args), uid: -1, gid: -1, shell: null });
os.platform = () => "win32";
os.EOL = "\r\n";
