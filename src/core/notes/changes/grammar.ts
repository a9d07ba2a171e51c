import lists from "./values.json" with { type: "json" };

export const PREPOSITIONS: ReadonlySet<string> = new Set(lists.prepositions.split(" "));

/** Where something comes from, and where it goes; in many languages these words mean much else. */
export const FROM: ReadonlySet<string> = new Set(lists.from.split(" "));
export const TOWARDS: ReadonlySet<string> = new Set(lists.towards.split(" "));

export const ARTICLES: ReadonlySet<string> = new Set(lists.articles.split(" "));

/** In "is owned by Marta", the word that follows is a verb, which has no qualifier. */
export const AUXILIARIES: ReadonlySet<string> = new Set(lists.auxiliaries.split(" "));
