import type { Signal, SignalKind } from "./signal.ts";

const firm = (kind: SignalKind, pattern: RegExp, unless?: RegExp): Signal => ({ kind, strength: "firm", pattern, ...(unless === undefined ? {} : { unless }) });
const reaction = (kind: SignalKind, pattern: RegExp, unless?: RegExp): Signal => ({ kind, strength: "reaction", pattern, ...(unless === undefined ? {} : { unless }) });
const tentative = (kind: SignalKind, pattern: RegExp, unless?: RegExp): Signal => ({ kind, strength: "tentative", pattern, ...(unless === undefined ? {} : { unless }) });

// Where an order can begin: the sentence, a clause after a comma or dash, or after "and", "but", "please"…
const START = String.raw`(?:^|[,;:(–—]\s*|\s-\s|\b(?:and|but|so|then|please|also|just|again|instead)[,:]?\s+)`;
const PLEASE = String.raw`(?:please,?\s+|pls\s+|kindly\s+|also,?\s+|just\s+)*`;
const clause = (body: string): RegExp => new RegExp(START + PLEASE + body, "i");

/** Parts of the work itself, as opposed to parts of a product: what a rule for an agent is about. */
const WORK = String.raw`(?:you|we|i|tests?|commits?|commit messages?|prs?|pull requests?|branch(?:es)?|code|comments?|functions?|files?|migrations?|docs?|documentation|deploys?|deployments?|builds?|errors?|secrets?|types?|imports?|names?|variables?|changes|releases?|dependencies|packages?|scripts?)`;
/** What agents do with a repository; "don't <these>" speaks to the agent rather than about a product. */
const CONDUCT = String.raw`(?:ask|assume|guess|commit|push|merge|rebase|force|amend|squash|delete|remove|drop|touch|edit|modify|change|rename|move|switch|install|upgrade|downgrade|bump|add|create|write|generate|invent|make up|mock|stub|skip|disable|ignore|bypass|hard-?code|duplicate|copy|reformat|refactor|rewrite|revert|run|start|restart|kill|deploy|publish|release|use|import|put|include|mention|explain|repeat|summari[sz]e|apologi[sz]e|over-?engineer|over-?complicate|try|do|give|tell|suggest|propose|offer|rely|wait|link|mix|join|implement|fix|leave|say|claim)`;
const NOT_CONDUCT = /\b(?:don['’]?t|do not) (?:worry|know|understand|think|see|get|remember|recall|have|mind|care|believe|feel|forget)\b/i;

/** How an order to the agent begins. */
const DIRECTIVE = String.raw`(?:please|make sure|be sure|always|never|don['’]?t|do not|you (?:should|must|need to|can)|also|first|only|just|update|run|use|add|check|ask|include|keep|follow|write|prefer|avoid|stop|wait|create|tell|explain|put|start|bump|regenerate|verify|commit|tag|let me|remind|log|document|mention)`;

/** What work on a repository leaves behind. */
const ARTEFACT = "commits?|commit messages?|prs?|pull requests?|pr descriptions?|code|code comments|comments|functions?|tests?|test files?|migrations?|endpoints?|changes?|features?|branch(?:es)?|branch names?|releases?|bug ?fix(?:es)?|public (?:functions?|apis?)|components?|modules?|scripts?|docs|documentation|names|identifiers|answers|responses|replies";
const LANGUAGE = "(?:english|german|french|spanish|portuguese|italian|dutch|polish|russian|czech|ukrainian|turkish|hindi|chinese|japanese|korean|arabic|hebrew)";
/** Tools that projects choose between; "use X, not Y" about them is a convention, about functions an order. */
const TOOL = "(?:npm|npx|pnpm|yarn|bun|deno|node|uv|uvx|pip|pipx|poetry|conda|make|just|task|docker|podman|colima|bash|zsh|fish|powershell|eslint|oxlint|biome|prettier|ruff|black|flake8|mypy|pyright|git|gh|hg|jj|rg|ripgrep|grep|fd|find|curl|httpie|vite|webpack|esbuild|rollup|turbopack|jest|vitest|mocha|pytest|unittest|cypress|playwright|selenium|postgres(?:ql)?|mysql|sqlite|mongodb|redis|terraform|opentofu|pulumi|ansible|tailwind|sass|axios|moment|dayjs|date-fns|lodash|gradle|maven|bazel|cargo|nix|brew|mise|asdf|nvm|fnm|volta|github actions|gitlab ci|circleci|jenkins)";

const WISHES: readonly Signal[] = [
  firm("wish", /\b(?:from now on|going forward|moving forward|from here on(?: out)?|from this point on|henceforth|as a (?:general )?rule(?=[,.:]|$| (?:we|i|you)\b)|for future reference|in all future|for (?:all|any) future|by default,? (?:always|please|use|you|i))\b/i),
  firm("wish", clause(String.raw`(?:remember|keep in mind|bear in mind|don['’]?t forget|do not forget|please note|take note|make a (?:mental )?note)\b`), /\b(?:do you remember|can't remember|remember (?:me\b|when|how we|last)|forget about it|remember (?:this|that|it)[.!]?$)/i),
  firm("wish", /\bkeep (?:this|that|it) in mind\b|\b(?:commit|save|add|store) (?:this|that|it)? ?to (?:your )?memory\b/i, /\bwith (?:this|that|all)/i),
  firm("wish", /\b(?:i(?:['’]d| would)? (?:want|like|need)|want) you to (?:always|never|remember|only)\b|\b(?:make it a habit|get (?:in|into) the habit|i expect you) (?:to|of)\b/i),
  // The imperative has the bare verb; "always fails", "never worked" report what happens.
  firm("wish", clause(String.raw`(?:(?:always|never)(?:, ever|,)?|don['’]?t ever|do not ever)\s+(?!mind\b|on\b|off\b|in\b|at\b|been\b|the\b|a\b|seen\b|had\b|done\b|got\b|saw\b|heard\b|knew\b|\w+(?:ed|ing)\b|\w*[^s\W]s\b)[\x60\w]`), /^(?:it|this|that|they|the|these|those|an?) [^,;:–—]*\b(?:and|but|then|also) (?:always|never)\b/i),
  firm("wish", new RegExp(String.raw`^(?:\S+ ){0,4}?${WORK} (?:\S+ ){0,3}?(?:should|must|need to|needs to|have to|has to|ought to|shall) (?:always|never|only)\b`, "i"), /\b(?:the|a|an) (?:end[- ])?users?\b/i),
  firm("wish", /^(?:we|i|you) (?:always|never) (?:want|use|prefer|do|run|commit|merge|push|deploy|write|keep|add|put|work|develop|name|squash|rebase|require|test|review)\b/i, /\b(?:that|which|who) (?:we|i|you) (?:always|never)\b/i),
  firm("wish", new RegExp(String.raw`\b(?:whenever|every time|each time|any ?time|when) (?:i|you|we)(?:['’]re|['’]ve)? [^,]{2,80},\s*(?:then )?${DIRECTIVE}\b`, "i"), /\bwhen (?:you|we|i)(?:['’]re| are|['’]ve| have| get)? (?:all |both )?(?:done|finish(?:ed)?|ready|through|back|there)\b/i),
  // What "whenever you …" asks for is whatever follows, unless somebody other than the agent acts there.
  firm("wish", /^(?:please )?whenever you [^,]{3,80},\s*(?!(?:it|i|we|they|the|this|that|there|he|she|you|my|our|a|an|what|why|is|are|does|do you)\b)\w+ \S+/i, /\?$/),
  firm("wish", new RegExp(String.raw`^(?:please )?when(?:ever)? you (?:write|add|create|open|name|make|change|touch|edit|review|refactor|test|commit|push|document|use)\b[^,]{2,60}?\s${DIRECTIVE}\b(?! (?:it|that|this)\b)`, "i"), /\?$/),
  firm("wish", /^(?:all|every|each|any) new (?:\S+ ){1,3}?(?:must|should|needs? to|has to|have to|gets?)\b/i, /\b(?:pass(?:es|ing)?|green|fixed)\b|\?$/i),
  firm("correction", /\bi(?:['’]ve)? (?:already )?(?:told|asked|reminded) you (?:twice|already|before|again|\S+ times|many times)\b/i, /\?$/),
  firm("wish", /^(?:commit messages?|commits|branch(?: name)?s|pr (?:titles?|descriptions?)|pull requests?|naming|names|comments|docstrings|code style|formatting|answers|replies|error messages|test names)\s*:\s*\S+ \S+/i, /\b(?:failed|passed|error|found|total)\b|\?$/i),
  firm("wish", new RegExp(String.raw`^(?:please )?${DIRECTIVE}\b.*\b(?:whenever|every time|each time) (?:i|you|we) `, "i")),
  firm("wish", new RegExp(String.raw`\bwhen(?:ever)? (?:asked|committing|naming|reviewing|releasing|deploying|refactoring|debugging|editing|testing|working|(?:writing|adding|creating|changing|fixing) (?:new |an? |any )?(?:tests?|code|docs|bugs?|commits?|prs?|branch(?:es)?|migrations?|files?|functions?|components?|features?))\b[^,]{0,80},\s*${DIRECTIVE}\b`, "i")),
  firm("wish", clause(String.raw`(?:make sure|ensure|be sure|see to it)\b.*\b(?:when(?:ever)?|before (?:each|every|any|you|commit\w*|push\w*|merg\w*|releas\w*)|after (?:each|every|any|commit\w*|push\w*|merg\w*)|each time|every (?:time|commit|pr|change)|always|never|next time|in (?:the )?future)\b`)),
  firm("wish", clause(String.raw`next time\b`), /\bnext time (?:i|it|the|that)\b[^,]*$/i),
  firm("wish", /\bin (?:the )?future\b.*\b(?:please|you (?:should|must|can)|always|never|don['’]?t|make sure)\b|^in (?:the )?future,? (?!versions?\b|releases?\b|this\b|it\b|i (?:may|might|will)|we (?:may|might|will)|if i)|\b(?:please|don['’]?t|do not|make sure|avoid|use|run|ask|check|let['’]?s)\b.*\bin (?:the )?future\b/i),
  firm("wish", /^(?:please )?(?:git )?(?:[a-z]+ ){1,8}?(?:after|before) (?:each|every|any) (?:\S+ ){0,2}?(?:commits?|changes?|tasks?|sub-?tasks?|steps?|edits?|phases?|features?|releases?|merges?|prs?|push|deploy\w*|sessions?|fix|implementation|refactor\w*)\b/i, /^(?:i|we|it|the|there|this|that|what|how|why|they|he|she)\b/i),
  firm("wish", clause(String.raw`(?:(?:always )?(?:ask|check with|consult|confirm with|warn|notify) me (?:first )?(?:before|whenever|when|if)\b|let me (?:review|check|approve|see) [^.,]{0,40}before you (?:commit|push|merge|deploy|publish|delete|send)\b)`)),
  firm("wish", clause(String.raw`(?:write|keep|format|name|prefix) (?:all |your |the |our |my )*(?:commit messages?|commits|commit titles?|pr titles?|pr descriptions?|comments|docstrings|test names|branch names|branches|answers?|responses|replies|explanations|summaries) (?:in|short|concise|brief|lower|upper|simple|with|under|as|to|after|like|terse)\b`)),
  firm("preference", /\b(?:don['’]?t|do not|stop being|less|too) (?:be )?(?:so |too |that )?(?:verbose|wordy|chatty|long-winded|apologetic)\b|\b(?:shorter|longer|briefer|simpler|more detailed|more concise) (?:answers|responses|replies|explanations|summaries|messages)\b|\bno more than \S+ (?:sentences|lines|words|paragraphs|bullet points)\b/i, /\?$|\b(?:output|error) is\b/i),
  firm("preference", clause(String.raw`(?:(?:answer|respond|reply|speak|talk)(?: to me)? in (?:english|german|french|spanish|portuguese|italian|dutch|polish|russian|czech|chinese|japanese|korean|plain \w+)|be (?:more )?(?:concise|brief|terse)|keep (?:it|your (?:answers|responses|replies)) (?:concise|brief|short|terse)|follow (?:the )?(?:conventional commits?|semantic versioning|(?:\S+ )?style ?guide))\b`)),
  firm("wish", /\b(?:in|for|on|across) (?:this|our|my|all our|all my) (?:repo(?:sitory)?|project|codebase|team|company|org(?:anization)?|shop)s?,? (?:we|i|you)(?:['’]re| should| must| all| usually| generally)? (?:use|do|don['’]?t|never|always|prefer|keep|avoid|write|only|try|want|follow|deploy|commit|call|name|put|squash|rebase|not)\b|\b(?:our|the|my) (?:convention|policy|rule|guideline|house style|standard)(?: here)? is\b/i, /\?$/u),
  firm("wish", new RegExp(String.raw`^(?:please )?before (?:you )?(?:each|every|any|commit\w*|push\w*|merg\w*|deploy\w*|releas\w*|publish\w*|(?:creat|mak|chang|edit|writ|start|modify|delet|add|open|implement|install|refactor)\w*(?: an?| any| each| every| new)?) [^,]*,\s*(?:please |always |first |you (?:should|must|need to) )*(?:run|check|ask|make|update|lint|format|test|verify|validate|confirm|read|show|tell|write|finish|pull|create|do|use|review|explain|propose|bump)\b`, "i"), /\bbefore (?:we|you) (?:begin|start|continue)\b/i),
  firm("wish", /^it(?:['’]s| is) (?:very |really |super )?(?:important|crucial|critical|essential) (?:that (?:you|we)|to (?:always|never|not))\b/i),
  firm("wish", /^(?:(?:this|it) is|that['’]?s) (?:very |really |super |extremely |the most )?(?:important|crucial|critical)\s*[:–—-]\s*(?:please |you |we |i )?(?:every|all|always|never|no|any|don['’]?t|do not|must not|only)\b/i),
  firm("wish", clause(String.raw`(?:stick|adhere|keep) to (?:the|our|my) (?:\S+ )?(?:convention|style|rule|guideline|standard|pattern)s?\b`)),
  firm("wish", /\b(?:without (?:asking|my (?:approval|permission|ok|consent|explicit)|being asked)|unless (?:i|we) (?:ask|say|tell|explicitly|specifically)|unless (?:explicitly |specifically )?(?:asked|told))\b/i, /\b(?:the|a) users?\b/i),
  reaction("wish", clause(String.raw`(?:make sure|ensure|be sure|use)\b`)),
  // A rule for every commit, test, pull request… "All tests should pass" is the task at hand.
  firm("wish", new RegExp(String.raw`^(?:all|every|each|any)(?: (?:new|our|my|of (?:the|our|my)))? (?:${ARTEFACT}) (?:\S+ ){0,3}?(?:must|should|needs?|has to|have to|gets?|comes? with)\b`, "i"), /\b(?:pass(?:es|ing)?|green|fixed)\b|\?$/i),
  firm("wish", new RegExp(String.raw`\bi want (?:all|every|each|any)(?: (?:new|our|my|of (?:the|our|my)))? (?:${ARTEFACT})\b`, "i"), /\b(?:pass(?:es|ing)?|green|fixed)\b/i),
  firm("wish", new RegExp(String.raw`\b(?:${ARTEFACT})(?: and (?:${ARTEFACT}))? (?:should|must|need to|have to|are to) (?:always )?be (?:written )?in ${LANGUAGE}\b`, "i")),
  firm("wish", /\S+ \S+.*,\s*(?:always|every time|each time|in general|as always)[.!]*$/i, /^(?:it|this|that|the)\b/i),
  firm("wish", /^(?:please )?(?:prefer (?!to\b|if\b|this\b|that\b|the (?:first|second|third|last|other|new|old)\b)\S+|treat (?:all |any )?(?:warnings|errors|lint\w*|failures) as\b|(?:try to |always )?keep (?:your |the |all |our )?(?:functions|methods|files|components|classes|tests|commits|prs|diffs|changes|modules) (?:small|short|under|below|simple|focused|pure|minimal)\b)/i),
  firm("wish", /\b(?:let me|i(?:['’]ll| will)?)(?: always| usually)? (?:handle|do|run|manage|take care of|make|review|create|write)\b[^.?]*\b(?:\w+s|git|everything|all of that) myself\b/i),
  firm("wish", /\bleave (?!this\b|that\b|it\b)(?:the |all |any |every )?[^.,;]{3,40} to me\b/i, /\?$/),
  firm("wish", /^(?:on|in) (?:this|our|my) team,? \S+ .*\b(?:always|never|only|first|by)\b/i, /\?$/),
  firm("wish", /\b(?:our|my) (?:coding |code |git |commit |branching )?(?:style|conventions?|preferences|rules)(?: here)?\s*(?::| is\b| are\b)\s*\S/i, /\?$/),
  firm("wish", /\b(?:commits?|commit messages?|prs?|pull requests?|branch names|branches|migrations) (?:should|must) (?:always |never )?(?:follow|include|start with|reference|mention|use|describe)\b/i, /\?$/),
  firm("wish", /\bi(?:['’]d like| want| need) you to\b[^.]*\b(?:before|after) (?:each|every|any) (?:commits?|changes?|tasks?|steps?|edits?|phases?|features?|releases?|merges?|prs?|push|deploy\w*|sessions?)\b/i),
  // "No emojis in commit messages", but not "no changes in the tests".
  tentative("prohibition", new RegExp(String.raw`^(?:please,? )?no (?:more )?(?!changes?\b|errors?\b|warnings?\b|idea\b|need\b|problem|issues?\b|differences?\b|longer\b|one\b|way\b|results?\b|tests? (?:fail|pass))\S+(?: \S+){0,2} (?:in|on|for) (?:the |your |our |my |any )?(?:${ARTEFACT})\b`, "i"), /\?$|\b(?:this|these|that|those)\b/i),
  firm("wish", new RegExp(String.raw`^(?:for|with|on|in) (?:every|each|any|all)(?: (?:new|our|my))? (?:\S+ )?(?:${ARTEFACT}),? (?:please |also |always )*(?:i (?:want|need|expect|would like|['’]d like)|you (?:should|must|need to|have to)|we (?:want|need|require)|${DIRECTIVE})\b`, "i"), /\?$|\b(?:pass(?:es|ing)?|green|fixed)\b/i),
  tentative("wish", clause(String.raw`only (?:edit|touch|change|modify|work in|write to)\b`)),
  tentative("prohibition", clause(String.raw`avoid (?:\w+ing|any|new)\b`)),
  tentative("wish", clause(String.raw`(?:only use|use only|stick (?:to|with)|stay (?:with|on))\b`)),
];

const PROHIBITIONS: readonly Signal[] = [
  tentative("prohibition", clause(String.raw`(?:don['’]?t|do not|pls don['’]?t|stop|avoid|quit) (?:ever |just |even )?${CONDUCT}(?:ting|ning|ping|ming|ging|ing|ting|ding|ring)?\b`), NOT_CONDUCT),
  firm("prohibition", clause(String.raw`stop (?:\w+ing)\b`), /\b(?:stop (?:working|running|responding|being)|does(?:n't)? stop|please stop and|stop doing (?:that|this|it)[.!]*$)\b/i),
  tentative("prohibition", new RegExp(String.raw`\b(?:we|you) (?:should(?:n['’]?t| not)|must(?:n['’]?t| not)|(?:don['’]?t|do not)(?: (?:ever|want to))?) ${CONDUCT}\b`, "i")),
  tentative("prohibition", /\byou (?:don['’]?t|do not) (?:need|have) (?:to (?!do (?:that|this|it)\b)\w+|(?:the|an?|any) [^.,]{3,60} to \w+)|\bwe (?:don['’]?t|do not) (?:need|want) any\b|\bthere(?:['’]?s| is) no need (?:to (?!do (?:that|this|it)\b)|for any)\b/i),
  firm("prohibition", /\b(?:there(?:['’]?s| is)) no need to (?:stop|ask|wait|confirm|check|pause|prompt|explain|summari[sz]e|apologi[sz]e|run|commit|push|create|write)\b|^no need to (?:stop|ask|wait|confirm|check in|pause)\b/i),
];

const CORRECTIONS: readonly Signal[] = [
  firm("correction", /^(?:as )?i(?:['’]ve)? (?:already |just )?(?:told|asked) you (?:to|not to|that|never)\b|^(?:as )?i(?:['’]ve)? (?:already |just )?said (?:not? to|no|that|to)\b/i),
  firm("correction", /^as i(?:['’]ve)? (?:already )?(?:said|mentioned|told you|explained)(?: before| earlier| already)?,/i),
  reaction("correction", /\bi (?:specifically |explicitly |only |just )?(?:wanted|meant|asked for|said) (?:[^,.]{1,80}?)(?:,? (?:and )?not|,? instead of|,? rather than)\b/i),
  firm("correction", /\bthat['’]?s (?:exactly )?what (?:the |our )?\S+(?: \S+){0,2} (?:is|are) for\b/i),
  firm("correction", /\bwe(?:['’]re| are) (?:using|on|running)\b[^.]*\b(?:not|so (?:we|you|don|do|never|please)|rather than|instead of)\b/i),
  firm("correction", /\bwe (?:use|run|deploy|write|call|name|keep|put)\b[^.]*,? (?:not|rather than|instead of|never) \S+/i, /\bwhether or not|if not|not sure\b/i),
  firm("correction", /^you should(?:['’]ve| have) \w+|\bnot how we (?:do|write|name|handle|structure|test|deploy|use)\b|\bwe don['’]?t (?:do|use|write|allow|want|commit|have) [^.]{2,60}\b(?:here|in this (?:repo|project|codebase|team))\b/i),
  firm("correction", new RegExp(String.raw`\buse ${TOOL}\b[^.]*(?:instead of|,? not|rather than|over|and not) (?:the )?${TOOL}\b`, "i"), /\?$/),
  reaction("correction", /\b(?:isn['’]?t|is not|aren['’]?t|are not|doesn['’]?t|does not|wasn['’]?t)\b[^.]{2,80},\s*(?:it['’]?s|it is|they['’]?re|they are|but|rather|instead)\b/i),
  reaction("correction", /\bwe (?:use|do|have|put|write|call|name|keep|store|deploy|run|test)\b|\b(?:go|goes|lives?|belongs?) (?:in|into|under|next to|beside|on)\b/i),
  reaction("correction", /\b(?:should|must|needs? to|has to|have to) (?:not )?(?:be|go|live|use|come|stay|have|contain|expect|pass|fail)\b/i, /\d|[*+=<>]|\bcalled\b/),
  reaction("correction", /\bneeds? (?:the|an?|to) [^.]*, not (?:the|an?|to)\b/i),
  reaction("correction", /,\s*(?:and )?not (?:the |an? |in |on |to |by |with |from |just |at )?\S+(?: \S+){0,4}[.!]*$/i, /whether|if not|or not/i),
  reaction("correction", /\b(?:not|don['’]?t|never)\b[^.]{2,90}?(?:,\s*(?:but|rather|instead)\b|\bbut rather\b|\b, use\b)|\b(?:we|you|it) (?:won['’]?t|will not|will never|are never|is never)\b/i),
  reaction("correction", clause(String.raw`use (?!case|of)[^.]+? (?:instead(?: of)?|rather than|not|over)\b`)),
  tentative("correction", /^you (?:hard-?coded|forgot|didn['’]?t|changed|removed|deleted|added|used|created|committed|pushed|broke|ignored|skipped|keep|always|never|still)\b.*\b(?:don['’]?t|should|want|never|instead|not|must|need)\b/i),
];

const CONFIRMATIONS: readonly Signal[] = [
  firm("confirmation", /\b(?:(?:this|that)(?: \w+){0,4} is (?:exactly|just|perfectly) right|do it like (?:this|that) from now on|keep (?:doing|working|writing|structuring|naming)(?: it| this| that| them)?(?: like (?:this|that)| this way| that way)?(?=[.!,]|$| (?:for|in|when|from|everywhere))|keep (?:it|this|that|them) (?:like (?:this|that)|this way|that way|up)|(?:this|that)(?:['’]?s| is) (?:exactly |precisely |just )?(?:how|the way|the kind of \w+|the (?:style|format|approach|level of detail)) (?:that )?(?:i|we) (?:want|like|need|prefer|meant|was looking for)|do (?:it|that|this) (?:like )?(?:this|that)(?: way)? (?:every time|again|always|from now on)|more like (?:this|that)|continue (?:doing|working) (?:it )?(?:like|this way)|(?:that|this|it|\S+(?: \S+){0,5}) was (?:definitely |exactly )?the right (?:call|choice|approach|decision|move)|the way you (?:did|handled|structured|wrote|explained) (?:this|that|it))\b/i, /\b(?:keep (?:it|this|that) (?:simple|short|up to date|as|in|the|open|for)|not (?:how|what)|n['’]t (?:how|what))\b|\?$/i),
];

const PREFERENCES: readonly Signal[] = [
  firm("preference", /\b(?:i|we)(?:['’]d| would)? (?:strongly |much |really |generally |usually |always |still |personally )*prefer\b|\b(?:my|our) (?:personal |strong |general )?preference (?:is|would be)\b|\bi(?:['’]d| would) (?:much )?rather (?!not know)\S+/i, /\b(?:if|do) you prefer|users? (?:who )?prefer|you prefer\b|\b(?:prefer|rather)\b (?!you\b)(?:\S+ ){0,3}(?:this|that|it|here|these|those|one)\b/i),
  firm("preference", /\bi(?:['’]m| am) (?:not )?a (?:big |huge )?(?:fan of|believer in)\b|\bi (?:really )?(?:hate|dislike|can['’]?t stand|love) (?:it )?(?:when|how)\b|\bi (?:generally |usually |always |really )?like (?:it when|to (?:keep|have|see|use|work|write|review|start|do)|my|short|concise|small|terse|brief|detailed|simple)\b/i),
  tentative("preference", /\bi (?:really |also )?(?:don['’]?t|do not|never) (?:ever )?(?:want|like)\b/i, /\bi (?:don['’]?t|do not) want to (?:break|lose|miss|waste|have to)\b/i),
  tentative("preference", new RegExp(String.raw`\bi (?:really )?(?:want|would like|['’]d like)\b(?=[^.]*\b(?:tests?|testing|commits?|code|comments?|docs|branch|prs?|reviews?|logic|mocks?|types?|dependenc\w+)\b)[^.]*?(?:,? but not\b|, (?:and )?not\b|rather (?:by|than)|instead of)`, "i")),
  reaction("preference", /\bi (?:really )?(?:want(?:ed)?|need(?:ed)?)\b/i),
  firm("preference", /\bi (?:usually|typically|normally|generally|mostly) (?!get|see|have|the)\w+/i, /\?$/u),
];

const ROLE = String.raw`(?:engineer|developer|dev|designer|manager|lead|architect|founder|co-?founder|cto|ceo|cpo|pm|po|owner|maintainer|contributor|student|teacher|professor|researcher|scientist|analyst|consultant|freelancer|contractor|solopreneur|entrepreneur|programmer|coder|admin(?:istrator)?|sysadmin|sre|devops|beginner|novice|newbie|expert|writer|marketer|intern|junior|senior|hobbyist|user|doctor|nurse|lawyer|accountant|artist|musician|journalist|statistician|physicist|biologist|mathematician|economist)`;
const IDENTITIES: readonly Signal[] = [
  firm("identity", new RegExp(String.raw`\b(?:i['’]?m|i am)(?: also| just| currently| basically)? (?:not )?(?:an?|the|your) (?:[\w/+#.-]+ ){0,4}?${ROLE}\b(?! (?:who|that) (?:would|wants|clicks|needs)| story| stories)`, "i"), /\bas (?:an?|the) (?:[\w-]+ )?user\b|\bas a (?:result|consultant might)|\b(?:act|acting|you are|imagine|pretend|behave|looks?|works?|serves?|treat\w*) (?:i['’]?m |i am )?as\b/i),
  firm("identity", /\bi(?:['’]?m| am) (?:the )?(?:only|sole|primary|main|lead) (?:team member|member|developer|dev|user|maintainer|engineer|owner|person|one|contributor)\b|\bi (?:work|build|develop) (?:alone|solo|by myself|on my own)\b/i),
  firm("identity", /\bi(?:['’]?m| am) (?:most |more |very |really |pretty |quite |fairly |not (?:very |really |that |too )?)?(?:comfortable|familiar|fluent|experienced|proficient|good|bad|terrible|awful|new|inexperienced|unfamiliar|colou?r-?blind|dyslexic|deaf|left-handed) (?:with|in|at|to)\b/i, /\b(?:good|comfortable|familiar|new) (?:with|to|at|in) (?:that|this|it|the|either|whatever|you|what|how|both|going|your|these)\b|\?$/i),
  firm("identity", /\bi(?:['’]?m| am) (?:colou?r-?blind|dyslexic|self-taught)\b|\bi (?:don['’]?t|do not) (?:know|speak|write|understand) (?:any |much |a lot of )?(?:python|javascript|typescript|rust|go|golang|java|kotlin|swift|c\+\+|c#|sql|react|css|html|bash|docker|kubernetes|git|english|german|french|spanish)\b/i),
  firm("identity", /\b(?:is|isn['’]?t|is not) my (?:first|native|second|mother) (?:language|tongue)\b|\bi(?:['’]m| am) (?:still |currently )?(?:learning|teaching myself|studying) (?!how\b|why\b|what\b|that\b|it\b|this\b|an? lot\b|so much\b|much\b|something\b|from\b)\w+/i, /\?$/),
  firm("identity", new RegExp(String.raw`\bi come from (?:an? )?\S+(?: \S+){0,2} background\b|\bi have (?:no|little|some|a lot of|lots of|basic|limited) (?:\w+ )?(?:experience|knowledge)\b|\bi(?:['’]?m| am) (?:based|located|living) in\b|\bi(?:['’]?m| am)? (?:speak|fluent in|a native) ${LANGUAGE}\b|\b(?:there(?:['’]?s| is) only me|it(?:['’]?s| is) (?:just|only) me) (?:on|working|in|here)\b`, "i"), /\?$/),
  firm("identity", /\bi(?:['’]?m| am) (?:on|using|running) (?:[\w.]+ )?(?:zsh|bash|fish|powershell|nushell|tmux|neo?vim|vim|emacs|vs ?code|cursor|intellij|webstorm|pycharm|xcode|zed|sublime|windows|wsl2?|mac ?os|a mac|an? m\d|macbook|linux|ubuntu|debian|fedora|arch|nix(?:os)?|ghostty|iterm2?|kitty|alacritty|warp)\b/i),
  firm("identity", /\b(?:i|we) use (?:[\w.]+ )?(?:zsh|bash|fish|powershell|nushell|neo?vim|vim|emacs|vs ?code|intellij|webstorm|pycharm|windows|wsl2?|mac(?: ?os)?|linux|ubuntu|nix(?:os)?|a (?:mac(?:book)?|windows|linux|dvorak|colemak|qwertz|azerty|\w+ keyboard))\b/i),
  firm("identity", /\bmy (?:role|job|background|title|profession|expertise|time ?zone|native language|mother tongue|first language|name|pronouns|shell|editor|ide|os|operating system|main language|machine|laptop|keyboard)(?: here)? (?:is|are)\b|\bcall me [A-Z]\w+/i),
  firm("identity", /\bi(?:['’]ve| have) (?:been (?:a |an |writing|working|programming|coding|developing|using|doing) ?.*\b(?:for|since)\b.*\b(?:years?|decades?|\d{4})\b|(?:\d+|\w+)\+? years? (?:of )?experience|never (?:used|written|touched|worked with|done))\b/i),
  firm("identity", /\b[iI] (?:work|live) (?:at|for|as|in|from) (?:an? |the )?[A-Z]?\w+/u, /\bi (?:work|live) (?:in|from|on|at) (?:the|this|that|here|it)\b/i),
];

const CHOICE_VERB = String.raw`(?:stick(?:ing)?|go(?:ing)?(?: back)?|stay(?:ing)?|settl(?:e|ing)|mov(?:e|ing) (?:forward|ahead)|switch(?:ing)?(?: over| back)?|keep(?:ing)?|migrat(?:e|ing)|standardi[sz](?:e|ing))`;
const DECISIONS: readonly Signal[] = [
  firm("decision", new RegExp(String.raw`\blet['’]?s (?:just |all |still |definitely )?(?:${CHOICE_VERB} (?:it |this )?(?:with|on|at)|(?:stick(?:ing)?|switch(?:ing)?(?: over| back)?|migrat(?:e|ing)|mov(?:e|ing) over) to|go back to (?:using|the (?:original|old|first)? ?(?:plan|approach|design|stack)))\b`, "i"), /\blet['’]?s (?:move (?:on|forward) (?:to|with) (?:the )?(?:next|step|phase|task)|go (?:back )?to (?:the )?(?:next|step|phase|task|previous)|go with (?:that|this|it|option|your|an? \w+ (?:here|button|modal)|[a-d]\b|\d|the (?:first|second|third|last))\b|keep it at (?:that|this))/i),
  firm("decision", /\blet['’]?s (?:skip|drop|defer|postpone|hold off on|avoid|not)\b.*\b(?:in favou?r of|for now|until|because|since|instead|v2|later|after)\b/i, /\b(?:yet|right now)\b/i),
  firm("decision", /\b(?:we|i)(?:['’]ve| have)? (?:all )?(?:decided|agreed|settled|opted|chosen|committed) (?:to(?! (?:rename|refactor|remove|delete|move|change|extract|split|add|fix|try|test)\b)|on|that|for|not|against|upon)\b|\b(?:we|i) (?:chose|picked)\b.*\b(?:over|because|instead|rather|since|for)\b|\bthe (?:decision|plan|agreement) (?:is|was) (?:to|that)\b/i, /\?$/u),
  firm("decision", /\b(?:we|i)(?:['’]re| are|['’]m| am) (?:going (?:back )?(?:with|to (?:use|keep|stay|stick|support|drop|standardi[sz]e|migrate|switch|move|go))|sticking (?:with|to)|switching|moving (?:away|over|off|from|to)|migrating|dropping|deprecating|sunsetting|standardi[sz]ing|targeting|freezing|not (?:planning|going|using|supporting|doing))\b/i, /\b(?:next (?:step|phase|task|one|item|file|issue|bug|part)|step|phase|now to|not going to (?:work|happen|lie))\b/i),
  firm("decision", /\bwe(?:['’]ll| will) (?:use|go with|stick (?:with|to)|keep|support|only|not|never|be using|stay|deploy|ship|host|self-host)\b.*\b(?:instead|rather|not|for now|because|since|over|only|until)\b/i, /\?$/u),
  firm("decision", /\bwe(?:['’]ve| have)? (?:just |now |recently |already |all )?(?:moved|switched|migrated|upgraded|standardi[sz]ed)(?: over| away)? (?:from|to|off|on)\b|\bwe (?:no longer|don['’]?t|do not) (?:use|support|ship|deploy|run|need|maintain)\b[^.]*\b(?:any ?more|any longer)\b|\bwe no longer \w+|\bwe (?:won['’]?t|will not|will no longer|do not|don['’]?t) support\b|\bwe (?:ruled out|rejected|abandoned|gave up on|turned down)\b/i, /\?$|\bwe (?:moved|switched) (?:on )?to the (?:next|other)\b/i),
  firm("decision", /\bwe(?:['’]re| are) (?:only |just )?(?:an? )?(?:\S+ ){0,4}?(?:team|start-?up|company|agency|non-?profit|studio|bank|hospital|university|school)\b|\b(?:is|are) (?:managed|owned|maintained|run|operated) by (?:the |our |another )?(?:\S+ ){1,3}?(?:team|department|vendor|group|company)\b|\b(?:this|the) (?:app|tool|project|service|site|repo|product|system) is (?:only |just |purely |strictly )?(?:used )?(?:internal(?:ly)?|for internal)\b/i, /\?$/),
  firm("decision", /^for now,? (?:we|i) (?:stay|keep|use|stick|support|target|only|run|deploy|host)\b|^for now,? (?:we|i)(?:['’](?:re|m|ll)| are| am| will)\b|\b(?:is|are|let['’]?s|we|use|stay)\b[^.]*\bfor now,? (?:but|because|since|as|and (?:later|then)|until|due)\b/i, /\b(?:stop|leave|that['’]?s (?:it|enough|all)|ignore|forget|skip|mock|stub|hard-?code|comment (?:it )?out|disable|test|debug|log)\b/i),
  firm("decision", /\b(?:i|we)(?:['’]d| would)?(?: also)? (?:want|plan|love|like|hope|intend|aim)\b[^.]*\b(?:eventually|long[- ]term|in the long run|down the (?:road|line))\b/i),
  firm("decision", /\b(?:my|our|the) (?:main |primary |overall |end |ultimate |long-term |key |real |whole |whole )?(?:goal|aim|objective|priority)(?: (?:here|(?:with|in|of|for) [^.,]{3,60}?))? is (?:to(?! (?:get|fix|pass)\b)|that|for)\b|\b(?:primary|main|key|north[- ]star) (?:\S+ ){0,2}(?:metric|goal|priority|audience|constraint|criterion)\b[^.]* is\b/i, /\b(?:is for the user|the user to|of this (?:function|file|test|script|pr|commit))\b/i),
  firm("decision", /\bi (?:want|['’]d like|would like) to (?:use|go with|set up|switch to|stick (?:with|to)|move to|stay (?:with|on)|keep)\b[^.]*\b(?:instead|rather than|and not|, not)\b/i),
  firm("decision", /\b(?:this|it)(?: feature| project| app| thing)? is (?:more of )?(?:just |only )?(?:an? )?(?:mvp|prototype|proof of concept|poc|throw-?away|internal tool|side project|hobby project|experiment)\b/i, /\?$/u),
  firm("decision", /\b(?:is|are) not a (?:concern|priority|requirement|goal)\b(?:.*\b(?:for now|at the moment|right now|yet))?/i),
  firm("decision", /\bthe (?:main |real |only )?reason (?:that |why )?(?:we|i|it)(?:['’]re| are| is|['’]m)?\b[^.]{3,80}\b(?:is|was) (?:that|because|to)\b|\b(?:legal|compliance|security|finance|management|leadership|my (?:boss|manager|team|client|cofounder|co-founder)|our (?:client|customer|team|investors?|cto|ceo)|gdpr|hipaa|soc ?2|the (?:auditors?|board|client|ops team|mobile team|infra team)) (?:team )?(?:requires?|wants? us|asked|needs us|insists?|decided|flagged|prefers?|mandates?|won['’]?t (?:allow|let))\b/i, /\?$/u),
  firm("decision", /^(?:please )?(?:don['’]?t|do not|no need to|we don['’]?t (?:have|need) to) (?:worry|care|bother) about (?!it\b|that\b|this\b|them\b|the (?:error|warning|failing|test))\S+/i),
  firm("decision", /^we (?:only |always |never )?(?:deploy|release|ship|merge|publish)\b[^.]*\b(?:only|never|always|every|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b|^we follow (?:semver|git-?flow|(?:the )?\S+(?: \S+)? (?:development|commits|versioning|style|guide(?:lines)?|conventions?|flow|principles|patterns?))\b|\b(?:must|has to|have to|needs? to) (?:stay|remain) (?:backwards?|forward|compatible|stable|on|private|open|under|free)\b|\bwe (?:don['’]?t|do not) want to (?:depend|rely|use|maintain|support|lock|host|pay)\b/i, /\?$/),
  tentative("decision", /\bwe (?:can['’]?t|cannot|can only|must|have to|need to) (?:use|support|depend|rely|run|ship|break|keep|stay|comply|host|avoid|remain|target)\b/i),
];

const DATE_WORK = String.raw`(?:(?:we|i) (?:want|plan|aim|hope|need|have) to|deadline|due|freez\w*|releas\w*|launch\w*|ship\w*|merg\w*|publish\w*|demo\w*|deliver\w*|cut(?:over|ting|s)?|go(?:es|ing)? live|go-live|migrat\w*|deploy\w*|present\w*|review\w*|hand(?:ed|ing)? (?:in|over|off)|sunset\w*|deprecat\w*|revisit\w*|milestone|submit\w*|submission|audit\w*|sprint|meeting|vacation|holiday|leave|away|ooo|out of office|conference|offline|read[- ]only|shut(?:s|ting)? down|expires?|ends?|starts?|begins?|on[- ]call|finish\w*|done|ready|complete\w*|tak(?:es?|ing) over|joins?|joining|leaves?|leaving|moves?|moved|moving|roll(?:ed|ing)? out|rollout|upgrade\w*)`;
const DEADLINES: readonly Signal[] = [
  // Whether it really names a day is left to the date resolver; see classify.ts.
  tentative("deadline", new RegExp(String.raw`\b${DATE_WORK}\b`, "i"), /\?$/u),
];

// Either case of the first letter: the pattern as a whole must see capitals, which mark names.
const THINGS = `(?:${String.raw`bugs?|issues?|tickets?|tasks?|incidents?|error reports?|crash reports?|designs?|mock-?ups?|docs?|documentation|logs?|metrics|dashboards?|specs?|roadmaps?|alerts?|runbooks?|secrets?|credentials|deploys?|deployments?|releases?|analytics|traces?|feature requests?|feedback|meeting notes|translations?|feature flags?|on-?call|postmortems?|backlog|requirements?|assets?|backups?|keys|api keys|passwords|errors?|crashes|support requests?`.split("|").map((thing) => `[${thing.charAt(0).toUpperCase()}${thing.charAt(0)}]${thing.slice(1)}`).join("|")})`;
const SYSTEMS: readonly Signal[] = [
  firm("system", new RegExp(String.raw`\b${THINGS}(?: [\w-]+){0,5}? (?:are|gets?|go|goes|end up|ends up|land|lives?|stay|belongs?|is(?= (?:tracked|kept|managed|hosted|planned|maintained|in|on)\b)) (?:all |always |only |now )?(?:tracked |filed |logged |kept |stored |managed |documented |hosted |reported |posted |maintained |sent |collected |planned )?(?:in|on|at|under|to|by|via|into) (?:the |our |a )?(?:[\w-]+ ){0,3}?(?:⟨url⟩|#[a-z][\w-]+|1?[A-Z][\w.-]+)`, "u"), /\?$/u),
  firm("system", /\b(?:we|i) (?:track|file|log|keep|manage|document|host|report|post|plan|monitor|store|collect) (?:all |our |the |my |every )?(?:[\w-]+ ){1,4}(?:in|on|at|with|through|via) (?:the |our |a )?(?:[\w-]+ ){0,2}?(?:⟨url⟩|#[a-z][\w-]+|[A-Z][\w.-]+)/u, /\?$/u),
  firm("system", /\b(?:dash-?board|board|wiki|tracker|runbook|staging|production|grafana|roadmap|style guide|design system|figma|status page|issue tracker|(?:our|my|team|internal|project) (?:\S+ )?(?:docs|documentation)|monitoring|logs)\b[^.]{0,40}(?:\bis\b|\bare\b|\blives?\b|\bat\b|:|=)[^.]{0,40}⟨url⟩/i, /\?$/u),
  firm("system", /\b(?:that|this|it|which|⟨url⟩|[A-Z][\w.-]+)(?:['’]s| is) where (?:we|all|our|the|i|you)\b[^.]*\b(?:tracks?|tracked|keeps?|kept|logs?|logged|files?|filed|lives?|goes|go|store[ds]?|posts?|documents?|documented|find|reports?|reported)\b/u, /\?$/u),
  firm("system", /\b(?:you can find|you['’]ll find|find) (?:the|our|all|my)\b[^.?]{2,40}\b(?:at|in|on|under)\b[^.?]{0,20}⟨url⟩/i, /\?$/),
  firm("system", /\b(?:slack|discord|teams|zulip|matrix) (?:channel )?#?[a-z][\w-]+ (?:is|for|to)\b|\b(?:ask|post|report|announce|ping)\b[^.]{0,30} in #[a-z][\w-]+/i),
  firm("system", /\b(?:the|our|my) (?:[\w-]+ )?(?:project|workspace|channel|board|organi[sz]ation|org|account|bucket|cluster|tenant|team|space|server|environment) (?:is|is called|is named|name is) (?:called |named )?(?:["“][^"”]+["”]|`x`|#[a-z]\S+)/i),
];

export const ENGLISH_SIGNALS: readonly Signal[] = [
  ...WISHES, ...PROHIBITIONS, ...CORRECTIONS, ...CONFIRMATIONS, ...PREFERENCES, ...IDENTITIES, ...DECISIONS, ...DEADLINES, ...SYSTEMS,
];
