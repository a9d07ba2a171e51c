/** Why the server does not do what was asked. */
export interface Denial {
  readonly kind: "denied";
  readonly reason:
    | "invalid"
    | "unauthorized"
    | "forbidden"
    | "not-found"
    | "conflict"
    | "precondition"
    | "path-conflict"
    | "stale"
    | "history-changed"
    | "compacted"
    | "too-large"
    | "quota"
    | "unavailable"
    | "secret";
  /** For a person: what, with which value, and what to do. */
  readonly message: string;
  /** For the program: the rule of a secret, the present revision. */
  readonly detail?: Readonly<Record<string, string | number>>;
}

export function denied(reason: Denial["reason"], message: string, detail?: Denial["detail"]): Denial {
  return { kind: "denied", reason, message, ...(detail === undefined ? {} : { detail }) };
}

export function isDenial(value: object): value is Denial {
  return "kind" in value && value.kind === "denied";
}

/** The same words for a space that is not there and for one of others: the answer tells nobody which spaces exist. */
export const NO_SPACE = denied("not-found", "There is no such space, or you are not a member of it.");
