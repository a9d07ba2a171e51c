// Loaded before a bundle: the system answers as on Windows, and functions that only POSIX has are missing.
const os = require("node:os");
const isLoaded = typeof require("libsql") === "function"; // first, as its engine is that of the tests' system
if (isLoaded) Object.defineProperty(process, "platform", { value: "win32" });
for (const name of ["getuid", "geteuid", "getgid", "getegid", "getgroups", "setuid", "setgid"])
  process[name] = undefined;
const userInfo = os.userInfo;
os.userInfo = (...args) => ({ ...userInfo(...args), uid: -1, gid: -1, shell: null });
os.platform = () => "win32";
os.EOL = "\r\n";
