import { parse, TomlError } from "smol-toml";

/** The values of a TOML file; none where it cannot be parsed. */
export function tomlValues(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) return {};
    throw error;
  }
}
