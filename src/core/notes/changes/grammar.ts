import lists from "./values.json" with { type: "json" };

export const PREPOSITIONS: ReadonlySet<string> = new Set(lists.prepositions.split(" "));

/** Where something comes from, and where it goes; in many languages these words mean much else. */
export const FROM: ReadonlySet<string> = new Set(lists.from.split(" "));
export const TOWARDS: ReadonlySet<string> = new Set(lists.towards.split(" "));

export const ARTICLES: ReadonlySet<string> = new Set(lists.articles.split(" "));
