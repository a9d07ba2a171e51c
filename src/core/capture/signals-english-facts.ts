import { firm, tentative, type Signal } from "./signal.ts";

export const LANGUAGE =
  "(?:english|german|french|spanish|portuguese|italian|dutch|polish|russian|czech|ukrainian|turkish|hindi|chinese|japanese|korean|arabic|hebrew)";

/** What a person is, decides, plans, and where things are kept: facts rather than wishes. */
const ROLE = String.raw`(?:engineer|developer|dev|designer|manager|lead|architect|founder|co-?founder|cto|ceo|cpo|pm|po|owner|maintainer|contributor|student|teacher|professor|researcher|scientist|analyst|consultant|freelancer|contractor|solopreneur|entrepreneur|programmer|coder|admin(?:istrator)?|sysadmin|sre|devops|beginner|novice|newbie|expert|writer|marketer|intern|junior|senior|hobbyist|user|doctor|nurse|lawyer|accountant|artist|musician|journalist|statistician|physicist|biologist|mathematician|economist)`;
const IDENTITIES: readonly Signal[] = [
  firm(
    "identity",
    new RegExp(
      String.raw`\b(?:i['’]?m|i am)(?: also| just| currently| basically)? (?:not )?(?:an?|the|your) (?:[\w/+#.-]+ ){0,4}?${ROLE}\b(?! (?:who|that) (?:would|wants|clicks|needs)| story| stories)`,
      "i",
    ),
    /\bas (?:an?|the) (?:[\w-]+ )?user\b|\bas a (?:result|consultant might)|\b(?:act|acting|you are|imagine|pretend|behave|looks?|works?|serves?|treat\w*) (?:i['’]?m |i am )?as\b/i,
  ),
  firm(
    "identity",
    /\bi(?:['’]?m| am) (?:the )?(?:only|sole|primary|main|lead) (?:team member|member|developer|dev|user|maintainer|engineer|owner|person|one|contributor)\b|\bi (?:work|build|develop) (?:alone|solo|by myself|on my own)\b/i,
  ),
  firm(
    "identity",
    /\bi(?:['’]?m| am) (?:most |more |very |really |pretty |quite |fairly |not (?:very |really |that |too )?)?(?:comfortable|familiar|fluent|experienced|proficient|good|bad|terrible|awful|new|inexperienced|unfamiliar|colou?r-?blind|dyslexic|deaf|left-handed) (?:with|in|at|to)\b/i,
    /\b(?:good|comfortable|familiar|new) (?:with|to|at|in) (?:that|this|it|the|either|whatever|you|what|how|both|going|your|these)\b|\?$/i,
  ),
  firm(
    "identity",
    /\bi(?:['’]?m| am) (?:colou?r-?blind|dyslexic|self-taught)\b|\bi (?:don['’]?t|do not) (?:know|speak|write|understand) (?:any |much |a lot of )?(?:python|javascript|typescript|rust|go|golang|java|kotlin|swift|c\+\+|c#|sql|react|css|html|bash|docker|kubernetes|git|english|german|french|spanish)\b/i,
  ),
  firm(
    "identity",
    /\b(?:is|isn['’]?t|is not) my (?:first|native|second|mother) (?:language|tongue)\b|\bi(?:['’]m| am) (?:still |currently )?(?:learning|teaching myself|studying) (?!how\b|why\b|what\b|that\b|it\b|this\b|an? lot\b|so much\b|much\b|something\b|from\b)\w+/i,
    /\?$/,
  ),
  firm(
    "identity",
    new RegExp(
      String.raw`\bi come from (?:an? )?\S+(?: \S+){0,2} background\b|\bi have (?:no|little|some|a lot of|lots of|basic|limited) (?:\w+ )?(?:experience|knowledge)\b|\bi(?:['’]?m| am) (?:based|located|living) in\b|\bi(?:['’]?m| am)? (?:speak|fluent in|a native) ${LANGUAGE}\b|\b(?:there(?:['’]?s| is) only me|it(?:['’]?s| is) (?:just|only) me) (?:on|working|in|here)\b`,
      "i",
    ),
    /\?$/,
  ),
  firm(
    "identity",
    /\bi(?:['’]?m| am) (?:on|using|running) (?:[\w.]+ )?(?:zsh|bash|fish|powershell|nushell|tmux|neo?vim|vim|emacs|vs ?code|cursor|intellij|webstorm|pycharm|xcode|zed|sublime|windows|wsl2?|mac ?os|a mac|an? m\d|macbook|linux|ubuntu|debian|fedora|arch|nix(?:os)?|ghostty|iterm2?|kitty|alacritty|warp)\b/i,
  ),
  firm(
    "identity",
    /\b(?:i|we) use (?:[\w.]+ )?(?:zsh|bash|fish|powershell|nushell|neo?vim|vim|emacs|vs ?code|intellij|webstorm|pycharm|windows|wsl2?|mac(?: ?os)?|linux|ubuntu|nix(?:os)?|a (?:mac(?:book)?|windows|linux|dvorak|colemak|qwertz|azerty|\w+ keyboard))\b/i,
  ),
  firm(
    "identity",
    /\bmy (?:role|job|background|title|profession|expertise|time ?zone|native language|mother tongue|first language|name|pronouns|shell|editor|ide|os|operating system|main language|machine|laptop|keyboard)(?: here)? (?:is|are)\b|\bcall me [A-Z]\w+/i,
  ),
  firm(
    "identity",
    /\bi(?:['’]ve| have) (?:been (?:a |an |writing|working|programming|coding|developing|using|doing) ?.*\b(?:for|since)\b.*\b(?:years?|decades?|\d{4})\b|(?:\d+|\w+)\+? years? (?:of )?experience|never (?:used|written|touched|worked with|done))\b/i,
  ),
  firm(
    "identity",
    /\b[iI] (?:work|live) (?:at|for|as|in|from) (?:an? |the )?[A-Z]?\w+/u,
    /\bi (?:work|live) (?:in|from|on|at) (?:the|this|that|here|it)\b/i,
  ),
];

const CHOICE_VERB = String.raw`(?:stick(?:ing)?|go(?:ing)?(?: back)?|stay(?:ing)?|settl(?:e|ing)|mov(?:e|ing) (?:forward|ahead)|switch(?:ing)?(?: over| back)?|keep(?:ing)?|migrat(?:e|ing)|standardi[sz](?:e|ing))`;
const DECISIONS: readonly Signal[] = [
  firm(
    "decision",
    new RegExp(
      String.raw`\blet['’]?s (?:just |all |still |definitely )?(?:${CHOICE_VERB} (?:it |this )?(?:with|on|at)|(?:stick(?:ing)?|switch(?:ing)?(?: over| back)?|migrat(?:e|ing)|mov(?:e|ing) over) to|go back to (?:using|the (?:original|old|first)? ?(?:plan|approach|design|stack)))\b`,
      "i",
    ),
    /\blet['’]?s (?:move (?:on|forward) (?:to|with) (?:the )?(?:next|step|phase|task)|go (?:back )?to (?:the )?(?:next|step|phase|task|previous)|go with (?:that|this|it|option|your|an? \w+ (?:here|button|modal)|[a-d]\b|\d|the (?:first|second|third|last))\b|keep it at (?:that|this))/i,
  ),
  firm(
    "decision",
    /\blet['’]?s (?:skip|drop|defer|postpone|hold off on|avoid|not)\b.*\b(?:in favou?r of|for now|until|because|since|instead|v2|later|after)\b/i,
    /\b(?:yet|right now)\b/i,
  ),
  firm(
    "decision",
    /\b(?:we|i)(?:['’]ve| have)? (?:all )?(?:decided|agreed|settled|opted|chosen|committed) (?:to(?! (?:rename|refactor|remove|delete|move|change|extract|split|add|fix|try|test)\b)|on|that|for|not|against|upon)\b|\b(?:we|i) (?:chose|picked)\b.*\b(?:over|because|instead|rather|since|for)\b|\bthe (?:decision|plan|agreement) (?:is|was) (?:to|that)\b/i,
    /\?$/u,
  ),
  firm(
    "decision",
    /\b(?:we|i)(?:['’]re| are|['’]m| am) (?:going (?:back )?(?:with|to (?:use|keep|stay|stick|support|drop|standardi[sz]e|migrate|switch|move|go))|sticking (?:with|to)|switching|moving (?:away|over|off|from|to)|migrating|dropping|deprecating|sunsetting|standardi[sz]ing|targeting|freezing|not (?:planning|going|using|supporting|doing))\b/i,
    /\b(?:next (?:step|phase|task|one|item|file|issue|bug|part)|step|phase|now to|not going to (?:work|happen|lie))\b/i,
  ),
  firm(
    "decision",
    /\bwe(?:['’]ll| will) (?:use|go with|stick (?:with|to)|keep|support|only|not|never|be using|stay|deploy|ship|host|self-host)\b.*\b(?:instead|rather|not|for now|because|since|over|only|until)\b/i,
    /\?$/u,
  ),
  firm(
    "decision",
    /\bwe(?:['’]ve| have)? (?:just |now |recently |already |all )?(?:moved|switched|migrated|upgraded|standardi[sz]ed)(?: over| away)? (?:from|to|off|on)\b|\bwe (?:no longer|don['’]?t|do not) (?:use|support|ship|deploy|run|need|maintain)\b[^.]*\b(?:any ?more|any longer)\b|\bwe no longer \w+|\bwe (?:won['’]?t|will not|will no longer|do not|don['’]?t) support\b|\bwe (?:ruled out|rejected|abandoned|gave up on|turned down)\b/i,
    /\?$|\bwe (?:moved|switched) (?:on )?to the (?:next|other)\b/i,
  ),
  firm(
    "decision",
    /\bwe(?:['’]re| are) (?:only |just )?(?:an? )?(?:\S+ ){0,4}?(?:team|start-?up|company|agency|non-?profit|studio|bank|hospital|university|school)\b|\b(?:is|are) (?:managed|owned|maintained|run|operated) by (?:the |our |another )?(?:\S+ ){1,3}?(?:team|department|vendor|group|company)\b|\b(?:this|the) (?:app|tool|project|service|site|repo|product|system) is (?:only |just |purely |strictly )?(?:used )?(?:internal(?:ly)?|for internal)\b/i,
    /\?$/,
  ),
  firm(
    "decision",
    /^for now,? (?:we|i) (?:stay|keep|use|stick|support|target|only|run|deploy|host)\b|^for now,? (?:we|i)(?:['’](?:re|m|ll)| are| am| will)\b|\b(?:is|are|let['’]?s|we|use|stay)\b[^.]*\bfor now,? (?:but|because|since|as|and (?:later|then)|until|due)\b/i,
    /\b(?:stop|leave|that['’]?s (?:it|enough|all)|ignore|forget|skip|mock|stub|hard-?code|comment (?:it )?out|disable|test|debug|log)\b/i,
  ),
  firm(
    "decision",
    /\b(?:i|we)(?:['’]d| would)?(?: also)? (?:want|plan|love|like|hope|intend|aim)\b[^.]*\b(?:eventually|long[- ]term|in the long run|down the (?:road|line))\b/i,
  ),
  firm(
    "decision",
    /\b(?:my|our|the) (?:main |primary |overall |end |ultimate |long-term |key |real |whole |whole )?(?:goal|aim|objective|priority)(?: (?:here|(?:with|in|of|for) [^.,]{3,60}?))? is (?:to(?! (?:get|fix|pass)\b)|that|for)\b|\b(?:primary|main|key|north[- ]star) (?:\S+ ){0,2}(?:metric|goal|priority|audience|constraint|criterion)\b[^.]* is\b/i,
    /\b(?:is for the user|the user to|of this (?:function|file|test|script|pr|commit))\b/i,
  ),
  firm(
    "decision",
    /\bi (?:want|['’]d like|would like) to (?:use|go with|set up|switch to|stick (?:with|to)|move to|stay (?:with|on)|keep)\b[^.]*\b(?:instead|rather than|and not|, not)\b/i,
  ),
  firm(
    "decision",
    /\b(?:this|it)(?: feature| project| app| thing)? is (?:more of )?(?:just |only )?(?:an? )?(?:mvp|prototype|proof of concept|poc|throw-?away|internal tool|side project|hobby project|experiment)\b/i,
    /\?$/u,
  ),
  firm(
    "decision",
    /\b(?:is|are) not a (?:concern|priority|requirement|goal)\b(?:.*\b(?:for now|at the moment|right now|yet))?/i,
  ),
  firm(
    "decision",
    /\bthe (?:main |real |only )?reason (?:that |why )?(?:we|i|it)(?:['’]re| are| is|['’]m)?\b[^.]{3,80}\b(?:is|was) (?:that|because|to)\b|\b(?:legal|compliance|security|finance|management|leadership|my (?:boss|manager|team|client|cofounder|co-founder)|our (?:client|customer|team|investors?|cto|ceo)|gdpr|hipaa|soc ?2|the (?:auditors?|board|client|ops team|mobile team|infra team)) (?:team )?(?:requires?|wants? us|asked|needs us|insists?|decided|flagged|prefers?|mandates?|won['’]?t (?:allow|let))\b/i,
    /\?$/u,
  ),
  firm(
    "decision",
    /^(?:please )?(?:don['’]?t|do not|no need to|we don['’]?t (?:have|need) to) (?:worry|care|bother) about (?!it\b|that\b|this\b|them\b|the (?:error|warning|failing|test))\S+/i,
  ),
  firm(
    "decision",
    /^we (?:only |always |never )?(?:deploy|release|ship|merge|publish)\b[^.]*\b(?:only|never|always|every|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b|^we follow (?:semver|git-?flow|(?:the )?\S+(?: \S+)? (?:development|commits|versioning|style|guide(?:lines)?|conventions?|flow|principles|patterns?))\b|\b(?:must|has to|have to|needs? to) (?:stay|remain) (?:backwards?|forward|compatible|stable|on|private|open|under|free)\b|\bwe (?:don['’]?t|do not) want to (?:depend|rely|use|maintain|support|lock|host|pay)\b/i,
    /\?$/,
  ),
  tentative(
    "decision",
    /\bwe (?:can['’]?t|cannot|can only|must|have to|need to) (?:use|support|depend|rely|run|ship|break|keep|stay|comply|host|avoid|remain|target)\b/i,
  ),
];

const DATE_WORK = String.raw`(?:(?:we|i) (?:want|plan|aim|hope|need|have) to|deadline|due|freez\w*|releas\w*|launch\w*|ship\w*|merg\w*|publish\w*|demo\w*|deliver\w*|cut(?:over|ting|s)?|go(?:es|ing)? live|go-live|migrat\w*|deploy\w*|present\w*|review\w*|hand(?:ed|ing)? (?:in|over|off)|sunset\w*|deprecat\w*|revisit\w*|milestone|submit\w*|submission|audit\w*|sprint|meeting|vacation|holiday|leave|away|ooo|out of office|conference|offline|read[- ]only|shut(?:s|ting)? down|expires?|ends?|starts?|begins?|on[- ]call|finish\w*|done|ready|complete\w*|tak(?:es?|ing) over|joins?|joining|leaves?|leaving|moves?|moved|moving|roll(?:ed|ing)? out|rollout|upgrade\w*)`;
const DEADLINES: readonly Signal[] = [
  // Whether it really names a day is left to the date resolver; see classify.ts.
  tentative("deadline", new RegExp(String.raw`\b${DATE_WORK}\b`, "i"), /\?$/u),
];

// Either case of the first letter: the pattern as a whole must see capitals, which mark names.
const THINGS = `(?:${String.raw`bugs?|issues?|tickets?|tasks?|incidents?|error reports?|crash reports?|designs?|mock-?ups?|docs?|documentation|logs?|metrics|dashboards?|specs?|roadmaps?|alerts?|runbooks?|secrets?|credentials|deploys?|deployments?|releases?|analytics|traces?|feature requests?|feedback|meeting notes|translations?|feature flags?|on-?call|postmortems?|backlog|requirements?|assets?|backups?|keys|api keys|passwords|errors?|crashes|support requests?`
  .split("|")
  .map((thing) => `[${thing.charAt(0).toUpperCase()}${thing.charAt(0)}]${thing.slice(1)}`)
  .join("|")})`;
const SYSTEMS: readonly Signal[] = [
  firm(
    "system",
    new RegExp(
      String.raw`\b${THINGS}(?: [\w-]+){0,5}? (?:are|gets?|go|goes|end up|ends up|land|lives?|stay|belongs?|is(?= (?:tracked|kept|managed|hosted|planned|maintained|in|on)\b)) (?:all |always |only |now )?(?:tracked |filed |logged |kept |stored |managed |documented |hosted |reported |posted |maintained |sent |collected |planned )?(?:in|on|at|under|to|by|via|into) (?:the |our |a )?(?:[\w-]+ ){0,3}?(?:⟨url⟩|#[a-z][\w-]+|1?[A-Z][\w.-]+)`,
      "u",
    ),
    /\?$/u,
  ),
  firm(
    "system",
    /\b(?:we|i) (?:track|file|log|keep|manage|document|host|report|post|plan|monitor|store|collect) (?:all |our |the |my |every )?(?:[\w-]+ ){1,4}(?:in|on|at|with|through|via) (?:the |our |a )?(?:[\w-]+ ){0,2}?(?:⟨url⟩|#[a-z][\w-]+|[A-Z][\w.-]+)/u,
    /\?$/u,
  ),
  firm(
    "system",
    /\b(?:dash-?board|board|wiki|tracker|runbook|staging|production|grafana|roadmap|style guide|design system|figma|status page|issue tracker|(?:our|my|team|internal|project) (?:\S+ )?(?:docs|documentation)|monitoring|logs)\b[^.]{0,40}(?:\bis\b|\bare\b|\blives?\b|\bat\b|:|=)[^.]{0,40}⟨url⟩/i,
    /\?$/u,
  ),
  firm(
    "system",
    /\b(?:that|this|it|which|⟨url⟩|[A-Z][\w.-]+)(?:['’]s| is) where (?:we|all|our|the|i|you)\b[^.]*\b(?:tracks?|tracked|keeps?|kept|logs?|logged|files?|filed|lives?|goes|go|store[ds]?|posts?|documents?|documented|find|reports?|reported)\b/u,
    /\?$/u,
  ),
  firm(
    "system",
    /\b(?:you can find|you['’]ll find|find) (?:the|our|all|my)\b[^.?]{2,40}\b(?:at|in|on|under)\b[^.?]{0,20}⟨url⟩/i,
    /\?$/,
  ),
  firm(
    "system",
    /\b(?:slack|discord|teams|zulip|matrix) (?:channel )?#?[a-z][\w-]+ (?:is|for|to)\b|\b(?:ask|post|report|announce|ping)\b[^.]{0,30} in #[a-z][\w-]+/i,
  ),
  firm(
    "system",
    /\b(?:the|our|my) (?:[\w-]+ )?(?:project|workspace|channel|board|organi[sz]ation|org|account|bucket|cluster|tenant|team|space|server|environment) (?:is|is called|is named|name is) (?:called |named )?(?:["“][^"”]+["”]|`x`|#[a-z]\S+)/i,
  ),
];

export const ENGLISH_FACTS: readonly Signal[] = [...IDENTITIES, ...DECISIONS, ...DEADLINES, ...SYSTEMS];
