/** Secrets of many forms, each with its surroundings. They are joined from parts, and none is real. */
export interface PlantedSecret {
  readonly name: string;
  readonly text: string;
  /** The part that must not reach the disk. */
  readonly secret: string;
}

const mixed = (count: number): string => "aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW".repeat(4).slice(0, count);
const hex = (count: number): string => "0f1e2d3c4b5a69788796a5b4c3d2e1f0".repeat(3).slice(0, count);

function planted(name: string, before: string, secret: string, after = ""): PlantedSecret {
  return { name, text: before + secret + after, secret };
}

/** A secret that every scan recognizes. */
export const A_SECRET = planted("token with a known beginning", "use ", `gh${"p_"}${mixed(36)}`);

export const PLANTED_SECRETS: readonly PlantedSecret[] = [
  A_SECRET,
  planted("token with a zero-width space inside", "use ", `gh${"p_"}${mixed(9)}\u200B${mixed(27)}`),
  planted("token with a soft hyphen inside", "use ", `gh${"p_"}${mixed(9)}\u00AD${mixed(27)}`),
  planted("curl user", "curl -u jane:", "orchard-tall", " https://ci.example.com"),
  planted("curl user in quotes", "curl --user 'jane:", "orchard tall'", " https://ci.example.com"),
  planted("sshpass", "sshpass -p ", "orchard-tall", " ssh jane@db.example"),
  planted("password in words", "the password of the staging db is ", "hunter2-Xy9!"),
  planted("labelled value of an unknown vendor", "ZORBLY_ACCESS ", hex(32)),
  planted("value of an unknown vendor", "zorbly=", hex(40)),
  planted("address with a password", "postgres://app:", "orchard-tall", "@db.example.com/shop"),
  planted("address with a token", "https://", mixed(32), "@git.example.com/shop.git"),
  planted("basic authorization", "Authorization: Basic ", btoa("jane:orchard")),
  planted("password hash", "htpasswd: jane:", `$ap${"r1$"}a1b2c3d4$${mixed(22)}`),
  planted("token in base64", "config ", btoa(`x\ngh${"p_"}${mixed(36)}`)),
];
