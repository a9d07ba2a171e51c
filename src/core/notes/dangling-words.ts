/** Words that a title cannot end with: what they belong to is missing. */
export const DANGLING_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the of in on at to for from by with without about into over under and or but nor if when whenever where while as that which who whose than then so " +
    "is are was were be been being am do does did has have had will would should must can could may might shall i you we he she it they our my your their its this these those such " +
    "before after until unless because since like across whether per between during even every each all any some using de la le les el los las un una une der die das den dem und oder y o e et ou à para pour por com con mit für von zu em no na do da os um uma w z i na do że и в на с для по к"
  ).split(" "),
);

/** A title that ends with one of these would deny what stands before it. */
export const NEGATIONS: ReadonlySet<string> = new Set(["not", "never", "no", "without", "except", "unless"]);
