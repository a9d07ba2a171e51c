import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { expectedSeconds, keptLongFiles } from "../../scripts/long-files.mjs";

/** Longest first, so that no worker is left with a long file while the other is idle. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = keptLongFiles();
    const seconds = ({ moduleId, project }: TestSpecification): number =>
      expectedSeconds(path.relative(project.config.root, moduleId).split(path.sep).join("/"), known);
    const others = await Reflect.apply(BaseSequencer.prototype.sort, this, [files]); // by the last run, or by size
    return others.toSorted((one, other) => seconds(other) - seconds(one));
  }
}
