import { describe, expect, it } from "vitest";
import { openMemory } from "../../../src/app/memory.ts";
import { person } from "../../support/person.ts";

/** A fact, what took its place, and a question in words that only the first of them has. */
const CHANGES = [
  ["We deploy on Heroku", "We switched from Heroku to AWS", "where do we deploy?"],
  ["The nightly backup goes to Backblaze", "Backblaze was replaced by Wasabi", "where does the nightly backup go?"],
  ["Wir deployen auf Heroku", "Heroku ist durch Hetzner ersetzt", "worauf deployen wir?"],
  ["Les sauvegardes vont sur OVH", "OVH est remplacé par Scaleway", "où vont les sauvegardes ?"],
  ["El despliegue se hace en Heroku", "Heroku fue sustituido por Fly", "¿cómo va el despliegue?"],
  ["我们部署在阿里云", "阿里云换成了腾讯云", "部署在哪里?"],
] as const;

describe("a note that superseded another", () => {
  it.each(CHANGES)("is found by what that was about: %s", async (before, after, question) => {
    const one = person();
    const memory = openMemory({ dir: `${one.root}/notes`, environment: one.environment });
    for (const body of ["The kettle is descaled in May", "Paint the shed in oil", "Zeppelins need helium"])
      await memory.remember({ body, type: "project" });
    const old = await memory.remember({ body: before, type: "project", insist: true });
    if (old.outcome !== "created") throw new Error(old.outcome);
    const heir = await memory.remember({ body: after, type: "project", insist: true, replaces: [old.ref.file] });
    if (heir.outcome !== "created") throw new Error(heir.outcome);
    const { ranked, selected, pointed } = memory.recall(question);
    const files = (notes: readonly { readonly file: string }[]): readonly string[] => notes.map(({ file }) => file);
    expect(files(ranked)).toEqual([heir.ref.file]);
    expect(files([...selected, ...pointed])).toEqual([heir.ref.file]);
    memory.close();
  });
});
