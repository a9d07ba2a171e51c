import { firm, reaction, tentative, type Signal } from "./signal.ts";
import { ENGLISH_FACTS, LANGUAGE } from "./signals-english-facts.ts";

// Where an order can begin: the sentence, a clause after a comma or dash, or after "and", "but", "please"…
const START = String.raw`(?:^|[,;:(–—]\s*|\s-\s|\b(?:and|but|so|then|please|also|just|again|instead)[,:]?\s+)`;
const PLEASE = String.raw`(?:please,?\s+|pls\s+|kindly\s+|also,?\s+|just\s+)*`;
const clause = (body: string): RegExp => new RegExp(START + PLEASE + body, "i");

/** Parts of the work itself, as opposed to parts of a product: what a rule for an agent is about. */
const WORK = String.raw`(?:you|we|i|tests?|commits?|commit messages?|prs?|pull requests?|branch(?:es)?|code|comments?|functions?|files?|migrations?|docs?|documentation|deploys?|deployments?|builds?|errors?|secrets?|types?|imports?|names?|variables?|changes|releases?|dependencies|packages?|scripts?)`;
/** What agents do with a repository; "don't <these>" speaks to the agent rather than about a product. */
const CONDUCT = String.raw`(?:ask|assume|guess|commit|push|merge|rebase|force|amend|squash|delete|remove|drop|touch|edit|modify|change|rename|move|switch|install|upgrade|downgrade|bump|add|create|write|generate|invent|make up|mock|stub|skip|disable|ignore|bypass|hard-?code|duplicate|copy|reformat|refactor|rewrite|revert|run|start|restart|kill|deploy|publish|release|use|import|put|include|mention|explain|repeat|summari[sz]e|apologi[sz]e|over-?engineer|over-?complicate|try|do|give|tell|suggest|propose|offer|rely|wait|link|mix|join|implement|fix|leave|say|claim)`;
const NOT_CONDUCT =
  /\b(?:don['’]?t|do not) (?:worry|know|understand|think|see|get|remember|recall|have|mind|care|believe|feel|forget)\b/i;

/** How an order to the agent begins. */
const DIRECTIVE = String.raw`(?:please|make sure|be sure|always|never|don['’]?t|do not|you (?:should|must|need to|can)|also|first|only|just|update|run|use|add|check|ask|include|keep|follow|write|prefer|avoid|stop|wait|create|tell|explain|put|start|bump|regenerate|verify|commit|tag|let me|remind|log|document|mention)`;

/** What work on a repository leaves behind. */
const ARTEFACT =
  "commits?|commit messages?|prs?|pull requests?|pr descriptions?|code|code comments|comments|functions?|tests?|test files?|migrations?|endpoints?|changes?|features?|branch(?:es)?|branch names?|releases?|bug ?fix(?:es)?|public (?:functions?|apis?)|components?|modules?|scripts?|docs|documentation|names|identifiers|answers|responses|replies";
/** Tools that projects choose between; "use X, not Y" about them is a convention, about functions an order. */
const TOOL =
  "(?:npm|npx|pnpm|yarn|bun|deno|node|uv|uvx|pip|pipx|poetry|conda|make|just|task|docker|podman|colima|bash|zsh|fish|powershell|eslint|oxlint|biome|prettier|ruff|black|flake8|mypy|pyright|git|gh|hg|jj|rg|ripgrep|grep|fd|find|curl|httpie|vite|webpack|esbuild|rollup|turbopack|jest|vitest|mocha|pytest|unittest|cypress|playwright|selenium|postgres(?:ql)?|mysql|sqlite|mongodb|redis|terraform|opentofu|pulumi|ansible|tailwind|sass|axios|moment|dayjs|date-fns|lodash|gradle|maven|bazel|cargo|nix|brew|mise|asdf|nvm|fnm|volta|github actions|gitlab ci|circleci|jenkins)";

const WISHES: readonly Signal[] = [
  firm(
    "wish",
    /\b(?:from now on|going forward|moving forward|from here on(?: out)?|from this point on|henceforth|as a (?:general )?rule(?=[,.:]|$| (?:we|i|you)\b)|for future reference|in all future|for (?:all|any) future|by default,? (?:always|please|use|you|i))\b/i,
  ),
  firm(
    "wish",
    clause(
      String.raw`(?:remember|keep in mind|bear in mind|don['’]?t forget|do not forget|please note|take note|make a (?:mental )?note)\b`,
    ),
    /\b(?:do you remember|can't remember|remember (?:me\b|when|how we|last)|forget about it|remember (?:this|that|it)[.!]?$)/i,
  ),
  firm(
    "wish",
    /\bkeep (?:this|that|it) in mind\b|\b(?:commit|save|add|store) (?:this|that|it)? ?to (?:your )?memory\b/i,
    /\bwith (?:this|that|all)/i,
  ),
  firm(
    "wish",
    /\b(?:i(?:['’]d| would)? (?:want|like|need)|want) you to (?:always|never|remember|only)\b|\b(?:make it a habit|get (?:in|into) the habit|i expect you) (?:to|of)\b/i,
  ),
  // The imperative has the bare verb; "always fails", "never worked" report what happens.
  firm(
    "wish",
    clause(
      String.raw`(?:(?:always|never)(?:, ever|,)?|don['’]?t ever|do not ever)\s+(?!mind\b|on\b|off\b|in\b|at\b|been\b|the\b|a\b|seen\b|had\b|done\b|got\b|saw\b|heard\b|knew\b|\w+(?:ed|ing)\b|\w*[^s\W]s\b)[\x60\w]`,
    ),
    /^(?:it|this|that|they|the|these|those|an?) [^,;:–—]*\b(?:and|but|then|also) (?:always|never)\b/i,
  ),
  firm(
    "wish",
    new RegExp(
      String.raw`^(?:\S+ ){0,4}?${WORK} (?:\S+ ){0,3}?(?:should|must|need to|needs to|have to|has to|ought to|shall) (?:always|never|only)\b`,
      "i",
    ),
    /\b(?:the|a|an) (?:end[- ])?users?\b/i,
  ),
  firm(
    "wish",
    /^(?:we|i|you) (?:always|never) (?:want|use|prefer|do|run|commit|merge|push|deploy|write|keep|add|put|work|develop|name|squash|rebase|require|test|review)\b/i,
    /\b(?:that|which|who) (?:we|i|you) (?:always|never)\b/i,
  ),
  firm(
    "wish",
    new RegExp(
      String.raw`\b(?:whenever|every time|each time|any ?time|when) (?:i|you|we)(?:['’]re|['’]ve)? [^,]{2,80},\s*(?:then )?${DIRECTIVE}\b`,
      "i",
    ),
    /\bwhen (?:you|we|i)(?:['’]re| are|['’]ve| have| get)? (?:all |both )?(?:done|finish(?:ed)?|ready|through|back|there)\b/i,
  ),
  // What "whenever you …" asks for is whatever follows, unless somebody other than the agent acts there.
  firm(
    "wish",
    /^(?:please )?whenever you [^,]{3,80},\s*(?!(?:it|i|we|they|the|this|that|there|he|she|you|my|our|a|an|what|why|is|are|does|do you)\b)\w+ \S+/i,
    /\?$/,
  ),
  firm(
    "wish",
    new RegExp(
      String.raw`^(?:please )?when(?:ever)? you (?:write|add|create|open|name|make|change|touch|edit|review|refactor|test|commit|push|document|use)\b[^,]{2,60}?\s${DIRECTIVE}\b(?! (?:it|that|this)\b)`,
      "i",
    ),
    /\?$/,
  ),
  firm(
    "wish",
    /^(?:all|every|each|any) new (?:\S+ ){1,3}?(?:must|should|needs? to|has to|have to|gets?)\b/i,
    /\b(?:pass(?:es|ing)?|green|fixed)\b|\?$/i,
  ),
  firm(
    "correction",
    /\bi(?:['’]ve)? (?:already )?(?:told|asked|reminded) you (?:twice|already|before|again|\S+ times|many times)\b/i,
    /\?$/,
  ),
  firm(
    "wish",
    /^(?:commit messages?|commits|branch(?: name)?s|pr (?:titles?|descriptions?)|pull requests?|naming|names|comments|docstrings|code style|formatting|answers|replies|error messages|test names)\s*:\s*\S+ \S+/i,
    /\b(?:failed|passed|error|found|total)\b|\?$/i,
  ),
  firm(
    "wish",
    new RegExp(String.raw`^(?:please )?${DIRECTIVE}\b.*\b(?:whenever|every time|each time) (?:i|you|we) `, "i"),
  ),
  firm(
    "wish",
    new RegExp(
      String.raw`\bwhen(?:ever)? (?:asked|committing|naming|reviewing|releasing|deploying|refactoring|debugging|editing|testing|working|(?:writing|adding|creating|changing|fixing) (?:new |an? |any )?(?:tests?|code|docs|bugs?|commits?|prs?|branch(?:es)?|migrations?|files?|functions?|components?|features?))\b[^,]{0,80},\s*${DIRECTIVE}\b`,
      "i",
    ),
  ),
  firm(
    "wish",
    clause(
      String.raw`(?:make sure|ensure|be sure|see to it)\b.*\b(?:when(?:ever)?|before (?:each|every|any|you|commit\w*|push\w*|merg\w*|releas\w*)|after (?:each|every|any|commit\w*|push\w*|merg\w*)|each time|every (?:time|commit|pr|change)|always|never|next time|in (?:the )?future)\b`,
    ),
  ),
  firm("wish", clause(String.raw`next time\b`), /\bnext time (?:i|it|the|that)\b[^,]*$/i),
  firm(
    "wish",
    /\bin (?:the )?future\b.*\b(?:please|you (?:should|must|can)|always|never|don['’]?t|make sure)\b|^in (?:the )?future,? (?!versions?\b|releases?\b|this\b|it\b|i (?:may|might|will)|we (?:may|might|will)|if i)|\b(?:please|don['’]?t|do not|make sure|avoid|use|run|ask|check|let['’]?s)\b.*\bin (?:the )?future\b/i,
  ),
  firm(
    "wish",
    /^(?:please )?(?:git )?(?:[a-z]+ ){1,8}?(?:after|before) (?:each|every|any) (?:\S+ ){0,2}?(?:commits?|changes?|tasks?|sub-?tasks?|steps?|edits?|phases?|features?|releases?|merges?|prs?|push|deploy\w*|sessions?|fix|implementation|refactor\w*)\b/i,
    /^(?:i|we|it|the|there|this|that|what|how|why|they|he|she)\b/i,
  ),
  firm(
    "wish",
    clause(
      String.raw`(?:(?:always )?(?:ask|check with|consult|confirm with|warn|notify) me (?:first )?(?:before|whenever|when|if)\b|let me (?:review|check|approve|see) [^.,]{0,40}before you (?:commit|push|merge|deploy|publish|delete|send)\b)`,
    ),
  ),
  firm(
    "wish",
    clause(
      String.raw`(?:write|keep|format|name|prefix) (?:all |your |the |our |my )*(?:commit messages?|commits|commit titles?|pr titles?|pr descriptions?|comments|docstrings|test names|branch names|branches|answers?|responses|replies|explanations|summaries) (?:in|short|concise|brief|lower|upper|simple|with|under|as|to|after|like|terse)\b`,
    ),
  ),
  firm(
    "preference",
    /\b(?:don['’]?t|do not|stop being|less|too) (?:be )?(?:so |too |that )?(?:verbose|wordy|chatty|long-winded|apologetic)\b|\b(?:shorter|longer|briefer|simpler|more detailed|more concise) (?:answers|responses|replies|explanations|summaries|messages)\b|\bno more than \S+ (?:sentences|lines|words|paragraphs|bullet points)\b/i,
    /\?$|\b(?:output|error) is\b/i,
  ),
  firm(
    "preference",
    clause(
      String.raw`(?:(?:answer|respond|reply|speak|talk)(?: to me)? in (?:english|german|french|spanish|portuguese|italian|dutch|polish|russian|czech|chinese|japanese|korean|plain \w+)|be (?:more )?(?:concise|brief|terse)|keep (?:it|your (?:answers|responses|replies)) (?:concise|brief|short|terse)|follow (?:the )?(?:conventional commits?|semantic versioning|(?:\S+ )?style ?guide))\b`,
    ),
  ),
  firm(
    "wish",
    /\b(?:in|for|on|across) (?:this|our|my|all our|all my) (?:repo(?:sitory)?|project|codebase|team|company|org(?:anization)?|shop)s?,? (?:we|i|you)(?:['’]re| should| must| all| usually| generally)? (?:use|do|don['’]?t|never|always|prefer|keep|avoid|write|only|try|want|follow|deploy|commit|call|name|put|squash|rebase|not)\b|\b(?:our|the|my) (?:convention|policy|rule|guideline|house style|standard)(?: here)? is\b/i,
    /\?$/u,
  ),
  firm(
    "wish",
    new RegExp(
      String.raw`^(?:please )?before (?:you )?(?:each|every|any|commit\w*|push\w*|merg\w*|deploy\w*|releas\w*|publish\w*|(?:creat|mak|chang|edit|writ|start|modify|delet|add|open|implement|install|refactor)\w*(?: an?| any| each| every| new)?) [^,]*,\s*(?:please |always |first |you (?:should|must|need to) )*(?:run|check|ask|make|update|lint|format|test|verify|validate|confirm|read|show|tell|write|finish|pull|create|do|use|review|explain|propose|bump)\b`,
      "i",
    ),
    /\bbefore (?:we|you) (?:begin|start|continue)\b/i,
  ),
  firm(
    "wish",
    /^it(?:['’]s| is) (?:very |really |super )?(?:important|crucial|critical|essential) (?:that (?:you|we)|to (?:always|never|not))\b/i,
  ),
  firm(
    "wish",
    /^(?:(?:this|it) is|that['’]?s) (?:very |really |super |extremely |the most )?(?:important|crucial|critical)\s*[:–—-]\s*(?:please |you |we |i )?(?:every|all|always|never|no|any|don['’]?t|do not|must not|only)\b/i,
  ),
  firm(
    "wish",
    clause(
      String.raw`(?:stick|adhere|keep) to (?:the|our|my) (?:\S+ )?(?:convention|style|rule|guideline|standard|pattern)s?\b`,
    ),
  ),
  firm(
    "wish",
    /\b(?:without (?:asking|my (?:approval|permission|ok|consent|explicit)|being asked)|unless (?:i|we) (?:ask|say|tell|explicitly|specifically)|unless (?:explicitly |specifically )?(?:asked|told))\b/i,
    /\b(?:the|a) users?\b/i,
  ),
  reaction("wish", clause(String.raw`(?:make sure|ensure|be sure|use)\b`)),
  // A rule for every commit, test, pull request… "All tests should pass" is the task at hand.
  firm(
    "wish",
    new RegExp(
      String.raw`^(?:all|every|each|any)(?: (?:new|our|my|of (?:the|our|my)))? (?:${ARTEFACT}) (?:\S+ ){0,3}?(?:must|should|needs?|has to|have to|gets?|comes? with)\b`,
      "i",
    ),
    /\b(?:pass(?:es|ing)?|green|fixed)\b|\?$/i,
  ),
  firm(
    "wish",
    new RegExp(
      String.raw`\bi want (?:all|every|each|any)(?: (?:new|our|my|of (?:the|our|my)))? (?:${ARTEFACT})\b`,
      "i",
    ),
    /\b(?:pass(?:es|ing)?|green|fixed)\b/i,
  ),
  firm(
    "wish",
    new RegExp(
      String.raw`\b(?:${ARTEFACT})(?: and (?:${ARTEFACT}))? (?:should|must|need to|have to|are to) (?:always )?be (?:written )?in ${LANGUAGE}\b`,
      "i",
    ),
  ),
  firm("wish", /\S+ \S+.*,\s*(?:always|every time|each time|in general|as always)[.!]*$/i, /^(?:it|this|that|the)\b/i),
  firm(
    "wish",
    /^(?:please )?(?:prefer (?!to\b|if\b|this\b|that\b|the (?:first|second|third|last|other|new|old)\b)\S+|treat (?:all |any )?(?:warnings|errors|lint\w*|failures) as\b|(?:try to |always )?keep (?:your |the |all |our )?(?:functions|methods|files|components|classes|tests|commits|prs|diffs|changes|modules) (?:small|short|under|below|simple|focused|pure|minimal)\b)/i,
  ),
  firm(
    "wish",
    /\b(?:let me|i(?:['’]ll| will)?)(?: always| usually)? (?:handle|do|run|manage|take care of|make|review|create|write)\b[^.?]*\b(?:\w+s|git|everything|all of that) myself\b/i,
  ),
  firm("wish", /\bleave (?!this\b|that\b|it\b)(?:the |all |any |every )?[^.,;]{3,40} to me\b/i, /\?$/),
  firm("wish", /^(?:on|in) (?:this|our|my) team,? \S+ .*\b(?:always|never|only|first|by)\b/i, /\?$/),
  firm(
    "wish",
    /\b(?:our|my) (?:coding |code |git |commit |branching )?(?:style|conventions?|preferences|rules)(?: here)?\s*(?::| is\b| are\b)\s*\S/i,
    /\?$/,
  ),
  firm(
    "wish",
    /\b(?:commits?|commit messages?|prs?|pull requests?|branch names|branches|migrations) (?:should|must) (?:always |never )?(?:follow|include|start with|reference|mention|use|describe)\b/i,
    /\?$/,
  ),
  firm(
    "wish",
    /\bi(?:['’]d like| want| need) you to\b[^.]*\b(?:before|after) (?:each|every|any) (?:commits?|changes?|tasks?|steps?|edits?|phases?|features?|releases?|merges?|prs?|push|deploy\w*|sessions?)\b/i,
  ),
  // "No emojis in commit messages", but not "no changes in the tests".
  tentative(
    "prohibition",
    new RegExp(
      String.raw`^(?:please,? )?no (?:more )?(?!changes?\b|errors?\b|warnings?\b|idea\b|need\b|problem|issues?\b|differences?\b|longer\b|one\b|way\b|results?\b|tests? (?:fail|pass))\S+(?: \S+){0,2} (?:in|on|for) (?:the |your |our |my |any )?(?:${ARTEFACT})\b`,
      "i",
    ),
    /\?$|\b(?:this|these|that|those)\b/i,
  ),
  firm(
    "wish",
    new RegExp(
      String.raw`^(?:for|with|on|in) (?:every|each|any|all)(?: (?:new|our|my))? (?:\S+ )?(?:${ARTEFACT}),? (?:please |also |always )*(?:i (?:want|need|expect|would like|['’]d like)|you (?:should|must|need to|have to)|we (?:want|need|require)|${DIRECTIVE})\b`,
      "i",
    ),
    /\?$|\b(?:pass(?:es|ing)?|green|fixed)\b/i,
  ),
  tentative("wish", clause(String.raw`only (?:edit|touch|change|modify|work in|write to)\b`)),
  tentative("prohibition", clause(String.raw`avoid (?:\w+ing|any|new)\b`)),
  tentative("wish", clause(String.raw`(?:only use|use only|stick (?:to|with)|stay (?:with|on))\b`)),
];

const PROHIBITIONS: readonly Signal[] = [
  tentative(
    "prohibition",
    clause(
      String.raw`(?:don['’]?t|do not|pls don['’]?t|stop|avoid|quit) (?:ever |just |even )?${CONDUCT}(?:ting|ning|ping|ming|ging|ing|ting|ding|ring)?\b`,
    ),
    NOT_CONDUCT,
  ),
  firm(
    "prohibition",
    clause(String.raw`stop (?:\w+ing)\b`),
    /\b(?:stop (?:working|running|responding|being)|does(?:n't)? stop|please stop and|stop doing (?:that|this|it)[.!]*$)\b/i,
  ),
  tentative(
    "prohibition",
    new RegExp(
      String.raw`\b(?:we|you) (?:should(?:n['’]?t| not)|must(?:n['’]?t| not)|(?:don['’]?t|do not)(?: (?:ever|want to))?) ${CONDUCT}\b`,
      "i",
    ),
  ),
  tentative(
    "prohibition",
    /\byou (?:don['’]?t|do not) (?:need|have) (?:to (?!do (?:that|this|it)\b)\w+|(?:the|an?|any) [^.,]{3,60} to \w+)|\bwe (?:don['’]?t|do not) (?:need|want) any\b|\bthere(?:['’]?s| is) no need (?:to (?!do (?:that|this|it)\b)|for any)\b/i,
  ),
  firm(
    "prohibition",
    /\b(?:there(?:['’]?s| is)) no need to (?:stop|ask|wait|confirm|check|pause|prompt|explain|summari[sz]e|apologi[sz]e|run|commit|push|create|write)\b|^no need to (?:stop|ask|wait|confirm|check in|pause)\b/i,
  ),
];

const CORRECTIONS: readonly Signal[] = [
  firm(
    "correction",
    /^(?:as )?i(?:['’]ve)? (?:already |just )?(?:told|asked) you (?:to|not to|that|never)\b|^(?:as )?i(?:['’]ve)? (?:already |just )?said (?:not? to|no|that|to)\b/i,
  ),
  firm(
    "correction",
    /^as i(?:['’]ve)? (?:already )?(?:said|mentioned|told you|explained)(?: before| earlier| already)?,/i,
  ),
  reaction(
    "correction",
    /\bi (?:specifically |explicitly |only |just )?(?:wanted|meant|asked for|said) (?:[^,.]{1,80}?)(?:,? (?:and )?not|,? instead of|,? rather than)\b/i,
  ),
  firm("correction", /\bthat['’]?s (?:exactly )?what (?:the |our )?\S+(?: \S+){0,2} (?:is|are) for\b/i),
  firm(
    "correction",
    /\bwe(?:['’]re| are) (?:using|on|running)\b[^.]*\b(?:not|so (?:we|you|don|do|never|please)|rather than|instead of)\b/i,
  ),
  firm(
    "correction",
    /\bwe (?:use|run|deploy|write|call|name|keep|put)\b[^.]*,? (?:not|rather than|instead of|never) \S+/i,
    /\bwhether or not|if not|not sure\b/i,
  ),
  firm(
    "correction",
    /^you should(?:['’]ve| have) \w+|\bnot how we (?:do|write|name|handle|structure|test|deploy|use)\b|\bwe don['’]?t (?:do|use|write|allow|want|commit|have) [^.]{2,60}\b(?:here|in this (?:repo|project|codebase|team))\b/i,
  ),
  firm(
    "correction",
    new RegExp(String.raw`\buse ${TOOL}\b[^.]*(?:instead of|,? not|rather than|over|and not) (?:the )?${TOOL}\b`, "i"),
    /\?$/,
  ),
  reaction(
    "correction",
    /\b(?:isn['’]?t|is not|aren['’]?t|are not|doesn['’]?t|does not|wasn['’]?t)\b[^.]{2,80},\s*(?:it['’]?s|it is|they['’]?re|they are|but|rather|instead)\b/i,
  ),
  reaction(
    "correction",
    /\bwe (?:use|do|have|put|write|call|name|keep|store|deploy|run|test)\b|\b(?:go|goes|lives?|belongs?) (?:in|into|under|next to|beside|on)\b/i,
  ),
  reaction(
    "correction",
    /\b(?:should|must|needs? to|has to|have to) (?:not )?(?:be|go|live|use|come|stay|have|contain|expect|pass|fail)\b/i,
    /\d|[*+=<>]|\bcalled\b/,
  ),
  reaction("correction", /\bneeds? (?:the|an?|to) [^.]*, not (?:the|an?|to)\b/i),
  reaction(
    "correction",
    /,\s*(?:and )?not (?:the |an? |in |on |to |by |with |from |just |at )?\S+(?: \S+){0,4}[.!]*$/i,
    /whether|if not|or not/i,
  ),
  reaction(
    "correction",
    /\b(?:not|don['’]?t|never)\b[^.]{2,90}?(?:,\s*(?:but|rather|instead)\b|\bbut rather\b|\b, use\b)|\b(?:we|you|it) (?:won['’]?t|will not|will never|are never|is never)\b/i,
  ),
  reaction("correction", clause(String.raw`use (?!case|of)[^.]+? (?:instead(?: of)?|rather than|not|over)\b`)),
  tentative(
    "correction",
    /^you (?:hard-?coded|forgot|didn['’]?t|changed|removed|deleted|added|used|created|committed|pushed|broke|ignored|skipped|keep|always|never|still)\b.*\b(?:don['’]?t|should|want|never|instead|not|must|need)\b/i,
  ),
];

const CONFIRMATIONS: readonly Signal[] = [
  firm(
    "confirmation",
    /\b(?:(?:this|that)(?: \w+){0,4} is (?:exactly|just|perfectly) right|do it like (?:this|that) from now on|keep (?:doing|working|writing|structuring|naming)(?: it| this| that| them)?(?: like (?:this|that)| this way| that way)?(?=[.!,]|$| (?:for|in|when|from|everywhere))|keep (?:it|this|that|them) (?:like (?:this|that)|this way|that way|up)|(?:this|that)(?:['’]?s| is) (?:exactly |precisely |just )?(?:how|the way|the kind of \w+|the (?:style|format|approach|level of detail)) (?:that )?(?:i|we) (?:want|like|need|prefer|meant|was looking for)|do (?:it|that|this) (?:like )?(?:this|that)(?: way)? (?:every time|again|always|from now on)|more like (?:this|that)|continue (?:doing|working) (?:it )?(?:like|this way)|(?:that|this|it|\S+(?: \S+){0,5}) was (?:definitely |exactly )?the right (?:call|choice|approach|decision|move)|the way you (?:did|handled|structured|wrote|explained) (?:this|that|it))\b/i,
    /\b(?:keep (?:it|this|that) (?:simple|short|up to date|as|in|the|open|for)|not (?:how|what)|n['’]t (?:how|what))\b|\?$/i,
  ),
];

const PREFERENCES: readonly Signal[] = [
  firm(
    "preference",
    /\b(?:i|we)(?:['’]d| would)? (?:strongly |much |really |generally |usually |always |still |personally )*prefer\b|\b(?:my|our) (?:personal |strong |general )?preference (?:is|would be)\b|\bi(?:['’]d| would) (?:much )?rather (?!not know)\S+/i,
    /\b(?:if|do) you prefer|users? (?:who )?prefer|you prefer\b|\b(?:prefer|rather)\b (?!you\b)(?:\S+ ){0,3}(?:this|that|it|here|these|those|one)\b/i,
  ),
  firm(
    "preference",
    /\bi(?:['’]m| am) (?:not )?a (?:big |huge )?(?:fan of|believer in)\b|\bi (?:really )?(?:hate|dislike|can['’]?t stand|love) (?:it )?(?:when|how)\b|\bi (?:generally |usually |always |really )?like (?:it when|to (?:keep|have|see|use|work|write|review|start|do)|my|short|concise|small|terse|brief|detailed|simple)\b/i,
  ),
  tentative(
    "preference",
    /\bi (?:really |also )?(?:don['’]?t|do not|never) (?:ever )?(?:want|like)\b/i,
    /\bi (?:don['’]?t|do not) want to (?:break|lose|miss|waste|have to)\b/i,
  ),
  tentative(
    "preference",
    new RegExp(
      String.raw`\bi (?:really )?(?:want|would like|['’]d like)\b(?=[^.]*\b(?:tests?|testing|commits?|code|comments?|docs|branch|prs?|reviews?|logic|mocks?|types?|dependenc\w+)\b)[^.]*?(?:,? but not\b|, (?:and )?not\b|rather (?:by|than)|instead of)`,
      "i",
    ),
  ),
  reaction("preference", /\bi (?:really )?(?:want(?:ed)?|need(?:ed)?)\b/i),
  firm("preference", /\bi (?:usually|typically|normally|generally|mostly) (?!get|see|have|the)\w+/i, /\?$/u),
];

export const ENGLISH_SIGNALS: readonly Signal[] = [
  ...WISHES,
  ...PROHIBITIONS,
  ...CORRECTIONS,
  ...CONFIRMATIONS,
  ...PREFERENCES,
  ...ENGLISH_FACTS,
];
