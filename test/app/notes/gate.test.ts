import { describe, expect, it } from "vitest";
import { asTyped, refuseText, requireClean } from "../../../src/app/notes/gate.ts";
import { codeOf } from "../../support/errors.ts";
import { deps, MARKED_SECRET } from "../../core/capture/session.ts";

const reason = async (...values: readonly unknown[]): Promise<string | undefined> =>
  (await refuseText(deps, ...values))?.reason;

describe("the gate before the disk", () => {
  it.each([
    ["in a text", (text: string): unknown => text],
    ["in a list", (text: string): unknown => ["fine", text]],
    ["in a field", (text: string): unknown => ({ name: "fine", body: text })],
    ["deep in an object", (text: string): unknown => ({ a: [{ b: { c: [text, "fine"] } }], d: null, e: 5 })],
  ])("finds a secret and what nobody sees %s", async (_, wrap) => {
    expect(await reason(wrap(`the key ${MARKED_SECRET} here`))).toBe("secret");
    expect(await reason("fine", wrap("a\u202Eb"))).toBe("hidden-characters");
    expect(await reason(wrap("all is well"), "fine")).toBeUndefined();
  });

  it("lets one byte order mark at the start of a text pass, and none within it", async () => {
    expect([await reason("\uFEFFfine"), await reason("fi\uFEFFne"), await reason("\uFEFF\uFEFFfine")]).toEqual([
      undefined,
      "hidden-characters",
      "hidden-characters",
    ]);
  });

  it("looks at each text alone: the end of one and the beginning of the next are no secret", async () => {
    const [half, other] = [MARKED_SECRET.slice(0, 6), MARKED_SECRET.slice(6)];
    expect([await reason(half, other), await reason([half, other]), await reason(half + other)]).toEqual([
      undefined,
      undefined,
      "secret",
    ]);
  });

  it("says what was found and what to do, and stops what is no note with an error", async () => {
    expect(await refuseText(deps, MARKED_SECRET)).toEqual({
      outcome: "refused",
      reason: "secret",
      message: expect.stringMatching(/^the text contains what looks like a secret \(marked\); nothing was written\. /u),
    });
    await expect(requireClean(deps, "fine")).resolves.toBeUndefined();
    const error = await requireClean(deps, "fine", { a: MARKED_SECRET }).catch((failure: unknown) => failure);
    expect(
      codeOf(() => {
        throw error;
      }),
    ).toBe("refused");
  });
});

describe("what a keyboard leaves", () => {
  it("is taken out of every text of a value, whose shape stays", () => {
    expect(asTyped("a\u0008b\u007Fc")).toBe("abc");
    expect(asTyped(["a\u0008", ["b\u0008"]])).toEqual(["a", ["b"]]);
    expect(asTyped({ a: "b\u0008", c: [{ d: "e\u0008" }], f: null, g: 5, h: undefined, i: true })).toEqual({
      a: "b",
      c: [{ d: "e" }],
      f: null,
      g: 5,
      h: undefined,
      i: true,
    });
    expect([asTyped(null), asTyped(undefined), asTyped(7)]).toEqual([null, undefined, 7]);
  });
});
