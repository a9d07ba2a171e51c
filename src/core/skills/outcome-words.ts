/** What people say about work that was done, by language: data, each rule with the words it is for. */

/** Whole prompts that only let the agent go on. */
export const GO_ON: readonly RegExp[] = [
  /^(?:yes|yep|yeah|y|ok(?:ay)?|sure|fine|right|go|go ahead|go on|continue|proceed|carry on|keep going|do it|do that|please do|next|sounds good|looks good,? (?:continue|go ahead|proceed)|both|all|option [a-z\d]|[a-d]|\d{1,2})(?:[,.!\s]*(?:please|thanks|go ahead|continue|proceed|do it|go for it))*[.!\s]*$/iu,
  /^(?:ja|weiter|mach weiter|genau|gut|oui|vas-y|d'accord|continue[rz]?|sí|si|vale|adelante|sigue|sim|continua|pode continuar|continúa|はい|続けて|继续|好的?|可以|да|продолжай|давай)[.!。！\s]*$/iu,
];

/** The beginning of a prompt that takes back or corrects what was done. */
export const CORRECTED: readonly RegExp[] = [
  /^(?:no\b(?! (?:problem|worries|need))|nope|wrong|wait\b|stop\b|hmm+,? (?:no|that|it)|ugh|hold on|revert\b|undo\b|rollback\b|roll back\b|actually,? (?:no|that)|not (?:quite|what|right|working|yet|like)|that['’]?s (?:not|wrong|incorrect)|this is (?:not|wrong|incorrect)|it['’]?s (?:not|still|wrong))/iu,
  /\b(?:you (?:forgot|missed|broke|didn['’]?t|did not|removed|deleted|were supposed|should(?:n['’]?t| not)? have|misunderstood|ignored|keep (?:doing|making|breaking|forgetting|getting))|why (?:did|are|would|were) you|why didn['’]?t you|i (?:didn['’]?t|did not|never) (?:ask|want|say|tell)|i (?:asked|told|said) (?:you )?(?:to|for|not|that)|that['’]?s not what i)\b/iu,
  /\b(?:still|again) (?:not|fail\w*|broken|doesn['’]?t|does not|isn['’]?t|getting|seeing|see|the same|shows?|says?|have|has|throws?|an? error|errors?)\b|\b(?:doesn['’]?t|does not|didn['’]?t|did not|isn['’]?t|is not|not) (?:seem to )?(?:work(?:ing)?|fixed|right|correct|render\w*|show\w*|build\w*|compil\w*|pass\w*|appear\w*)\b/iu,
  /^(?:\d+|one|two|a few|some|several) more (?:errors?|failures?|failing|issues?|tests?)\b|\bsame (?:error|issue|problem|result|state)\b|\bhappen(?:s|ing|ed) again\b|\bi (?:don['’]?t|do not) think (?:you|this|that|it)\b[^.?!\n]{0,60}\b(?:correct\w*|right|work\w*)\b|\b(?:now|but) (?:it|i|there|the \w+)(?:['’]s| is| are|['’]m| am)? (?:broken|fail\w*|getting|seeing|crash\w*|gone|missing)\b/iu,
  /\b(?:revert|undo|roll back|put back|restore) (?:this|that|it|the|your|those|these|all)\b|\bis(?:n['’]?t| not) (?:right|correct|what|ok|good enough)\b|\bmade (?:it|things) worse\b/iu,
  /^(?:nein|falsch|das (?:ist|geht|stimmt) nicht|immer noch|non\b|ce n'est pas|toujours pas|no funciona|sigue sin|está mal|não (?:funciona|está)|ainda não|errado|不对|不行|还是|错了|違う|まだ|нет\b|неправильно|не работает)/iu,
];

/** A prompt that brings an error along. */
export const ERROR_PASTED: readonly RegExp[] = [
  /^\s*(?:\S+ )?(?:Uncaught )?(?:[A-Z]\w*(?:Error|Exception)|Traceback \(most recent call last\)|panic:|fatal:|npm (?:ERR!|error)|error(?:\[\w+\])?:|ERROR\b|FAIL\b|⨯|✗|Error:)/mu,
  /^\s+at \S+ \(?\S+:\d+:\d+\)?|\bexit(?:ed with)? (?:code|status) [1-9]|##\[error\]|\berror TS\d+/mu,
  /\b(?:i(?:['’]m| am)? (?:get(?:ting)?|see(?:ing)?|got|still (?:get|see))|there(?:['’]s| is| are)|it (?:gives|throws|shows)) (?:\w+ ){0,3}(?:errors?|exceptions?|failures?|crash\w*)\b/iu,
  /^(?:\W*(?:hm+|ok(?:ay)?|so|and|but)\W+)?now i(?:['’]m| am)? (?:see|seeing|get|getting) (?:this|the|an?|it)\b/iu,
  /\b(?:tests?|build|ci|lint|checks?|deploy(?:ment)?) (?:is |are |just )?(?:failing|failed|fails?|broke|broken|red)\b/iu,
];

/** A person is content. */
export const THANKED: readonly RegExp[] = [
  /\b(?:thanks?(?: you)?|thx|perfect|excellent|awesome|amazing|brilliant|great(?:!|\.|,| job| work)|nice(?:!|\.|,| work| job|ly)|love it|well done|good job|beautiful|lgtm|(?:looks?|sounds?|seems?) (?:good|great|perfect|awesome)|(?<!before we |before )mov(?:e|ing) on\b|(?:that|it|this|everything) (?:all )?(?:now )?works?\b(?! (?:if|when|only|but))|works (?:now|great|well|perfectly|fine)|working (?:now|great|perfectly)|all (?:good|passing|pass|green)|that did it|fixed it)\b/iu,
  /^(?:ok(?:ay)?,? |great,? |now,? |please )*(?:commit|push|merge|ship|open a pr|create a pr|make a pr)\b/iu,
  /^(?:danke|perfekt|super|merci|parfait|gracias|perfecto|obrigad[oa]|perfeito|ótimo|谢谢|很好|完美|ありがとう|спасибо|отлично)/iu,
];

/** The agent says that it could not. */
export const GAVE_UP: readonly RegExp[] = [
  /\b(?:I (?:could not|couldn['’]t|was(?:n['’]t| not) able|am unable|cannot|can['’]t)(?: \w+){0,2} (?:fix|complete|finish|find|get|make|resolve|run|reproduce|verify|build|solve|determine)|unable to (?:fix|complete|finish|resolve|solve|reproduce)|(?:still|is) (?:failing|fails|broken)|remains? (?:broken|unresolved|failing)|did not succeed|unsuccessful)\b/iu,
];

/** "Next time do it like this": the person asks to keep a procedure. */
export const WISHED: readonly RegExp[] = [
  /\b(?:next time|from now on|in (?:the )?future|whenever (?:you|we|i)|every time (?:you|we|i)|always),? [^.?!\n]{0,80}\b(?:do (?:it|this|that) (?:like|this way|that way|exactly)|follow (?:this|these|the same|that)|(?:use|repeat|run) (?:this|these|the same|that) (?:steps?|procedure|process|workflow|order|sequence|commands?|way)|(?:like|the way) (?:this|that|we just|you just))\b/iu,
  /\b(?:remember|save|keep|store|write down|record|note down) (?:this|that|these|the|how (?:to|we|you)) ?(?:\w+ ){0,3}(?:as a (?:skill|procedure|recipe|workflow)|procedure|steps|process|workflow|recipe|for next time|we (?:did|just did))\b|\b(?:make|create|write|turn (?:this|that|it) into) (?:an? |this a )?(?:\w+ )?(?:skill|runbook|procedure)\b/iu,
  /\b(?:nächstes mal|künftig|das nächste mal)[^.?!\n]{0,60}\b(?:so|genauso|diese schritte)\b|\bla prochaine fois[^.?!\n]{0,60}\b(?:comme|ainsi|ces étapes)\b|\bla próxima vez[^.?!\n]{0,60}\b(?:así|estos pasos)\b|\bda próxima vez[^.?!\n]{0,60}\b(?:assim|estes passos)\b|下次[^。！？\n]{0,40}(?:这样|步骤|照这)/iu,
];

/** Words that put steps in order. */
export const ORDERED: readonly RegExp[] = [
  /\bfirst(?:ly)?\b[^.!?]{3,200}(?:[.,;]\s*|\s)(?:and )?(?:then|second(?:ly)?|after (?:that|this|which)|next|afterwards|finally|only then)\b/isu,
  /(?:^|\n)\s*(?:1[.)]|step 1\b)\s*\S[\s\S]{2,400}?\n\s*(?:2[.)]|step 2\b)\s*\S/iu,
  /\b(?:run|do|call|execute|start|build|generate) [^.!?\n]{2,80}\bbefore (?:you )?(?:run|running|do|doing|call|build|building|start|commit\w*|the)\b/iu,
  /\bzuerst\b[^.!?]{3,160}\bdann\b|\bd'abord\b[^.!?]{3,160}\b(?:puis|ensuite)\b|\bprimero\b[^.!?]{3,160}\b(?:luego|después)\b|\bprimeiro\b[^.!?]{3,160}\b(?:depois|então)\b|先[^。！？\n]{2,80}(?:再|然后)/isu,
];
