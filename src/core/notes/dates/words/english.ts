import type { DateWords } from "./date-words.ts";

const DETERMINER = "the|an?|our|my|your|his|her|their|its|this|that|these|those|each|every|any|no|some|all|most|which";

export const ENGLISH: DateWords = {
  code: "en",
  known:
    "the|an?|and|is|are|was|were|to|of|for|with|from|by|at|it|we|he|she|they|has|have|had|will|not|but|that|this|our|did|be|i|you|must|which|nobody|there|then|us|on|in|out|up|so|as|his|her|their|my|all|if|when|after|before|can|since|who|what|its|been|until|next|last|ago|than|every|no|or|due",
  weekBeginsOnSunday: true,
  weekdays: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
  shortWeekdays: ["mon", "tues?", "wed", "thu(?:rs?)?", "fri", "sat", "sun"],
  months: [
    "jan(?:uary)?",
    "feb(?:ruary)?",
    "mar(?:ch)?",
    "apr(?:il)?",
    "may",
    "june?",
    "july?",
    "aug(?:ust)?",
    "sept?(?:ember)?",
    "oct(?:ober)?",
    "nov(?:ember)?",
    "dec(?:ember)?",
  ],
  numbers: {
    a: 1,
    an: 1,
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    eleven: 11,
    twelve: 12,
  },
  units: { day: "days?", week: "weeks?", month: "months?", quarter: "quarters?", year: "years?" },
  spans: { week: "week", month: "month", quarter: "quarter", year: "year" },
  days: [
    [-2, "(?:the )?day before yesterday"],
    [-1, "yesterday(?: (?:morning|afternoon|evening|night))?"],
    [-1, "last night"],
    [0, "today|tonight|this (?:morning|afternoon|evening)"],
    [1, "tomorrow(?: (?:morning|afternoon|evening|night))?"],
    [2, "(?:the )?day after tomorrow"],
  ],
  last: ["(?:this past|last|past) {d}(?: (?:morning|afternoon|evening|night))?", "last {w}"],
  next: ["next {d}(?: (?:morning|afternoon|evening|night))?", "next {w}"],
  coming: ["(?:this coming|coming|the coming) {d}", "{d} coming"],
  this: ["this {d}(?: (?:morning|afternoon|evening|night))?", "this {w}"],
  inWeek: [
    [-1, "{d}(?: of| in)? last week|last week(?:['’]s)? {d}|last week on {d}"],
    [0, "{d}(?: of| in)? this week|this week on {d}"],
    [1, "{d}(?: of| in)? next week|next week(?:['’]s)? {d}|next week on {d}"],
  ],
  ago: ["{n} {u} ago"],
  ahead: ["{n} {u} from (?:now|today)(?! on)"],
  perhapsAhead: ["in {n} {u}(?:['’] time)?"],
  events:
    "go(?:es)? live|launch(?:es)?|ships?|releases?|starts?|begins?|ends?|revisit|meet|leaves?|moves?|migrate|arrives?|is back|are back|returns?|remind|demo|reviews?|kick-?off|pilot|check again|look again",
  inSpan: [
    [-1, "last {s}"],
    [0, "this {s}"],
    [1, "next {s}"],
  ],
  endOf: [
    [-1, "(?:the )?end of last {s}"],
    [0, "(?:the )?end of (?:the |this )?{s}"],
    [1, "(?:the )?end of next {s}"],
  ],
  dates: ["{m}\\.? {k}(?:st|nd|rd|th)?", "(?:the )?{k}(?:st|nd|rd|th)? (?:of )?{m}"],
  bare: "{d}(?: (?:morning|afternoon|evening|night))?|(?<=(?:by|before|until|till|due|eod|cob) (?:on )?){w}",
  until:
    "by|before|until|till|due(?: on| by)?|no later than|eod|cob|end of|starting(?: on)?|beginning(?: on)?|effective|deadline:",
  untilAfter: "on(?:wards?)?\\b|(?:until|till)\\b",
  since: "since",
  aim: "for|after|to|from|as of|deadline is",
  notAfter: `${DETERMINER}|than|over|under|about|around|nearly|almost|at (?:least|most)|up to|(?:week|month|year|day|hour|minute)s? (?:from|before|after)|first|second|third|fourth|black|good|cyber|patch|ash|casual|happy|of (?:the|each|every)|between|like|next to|called|named|say|says|said|versus|vs\\.?|--[\\w-]+|-[a-z]|(?:deploy|deployment|release|merge|meeting|test|build|push(?:e)?|change|migration|rollout|update|backup|standup|upgrade|review|call|shift|sync)s (?:on|every)`,
  joins: "to|and|or",
  moves: ["from", "to"],
  notBefore:
    "after next|now\\b|before last|(?:week|fortnight)\\b|of (?:the|each|every|any)\\b|of \\p{L}+ember|of (?:january|february|march|april|may|june|july|august|october)|through\\b|thru\\b|only\\b|(?:and|or) (?:every|each)",
  free: "$|[.,;:!?)\\]—–-]|(?:at|because|and|but|when|while|after|before|so|to|with|by|for|from|in|we|i|he|she|they|it|the|our|as|that|until|till|already|onwards?|on)\\b",
  past: `(?<!\\b(?:is|are|am|be|being|gets?|isn['’]t|aren['’]t|not|${DETERMINER})\\s(?:\\p{L}+ly\\s)?)(?<=\\S\\s+)(?<!['’](?:re|s)\\s)\\b(?!(?:need|speed|feed|seed|embed|exceed|proceed|indeed|hundred|based|supposed|unused|related)\\b)\\p{L}{2,}ed\\b|^\\W*(?!(?:need|speed|feed|seed|embed|exceed|proceed)\\b)\\p{L}{2,}ed (?:the|an?|on|to|it|all|our|by|with|from|at|in|off|last)\\b|(?<!\\b(?:is|are|be|being|gets?|the|an?|to|not)\\s)\\b(?:went|came|got|made|took|ran|began|broke|found|lost|left|sent|built|wrote|said|told|chose|gave|kept|held|paid|sold|spent|fell|saw|met|knew|thought|brought|bought|taught|caught|led|grew|threw|drew|rose|stood|became|won|froze|spoke|forgot|overran)\\b|\\b(?:was|were|wasn['’]t|weren['’]t|had|hadn['’]t|did|didn['’]t|been)\\b`,
  future:
    "\\b(?:will|won['’]t|shall|going to|gonna|about to|upcoming|due(?! to)|deadline|scheduled|planned|expected|slated|eta|(?:merge|code|feature|release|deploy(?:ment)?|change) freeze|cut-?off|go-?live|plans? to|planning to|intends? to)\\b|['’]ll\\b",
  progressive: "(?:\\b(?:is|are|am)|['’](?:re|m|s)) (?:not |also |all )?\\p{L}{2,}ing\\b",
  standing:
    "\\b(?:always|never|every|each|whenever|usually|typically|normally|generally|daily|weekly|bi-?weekly|monthly|quarterly|yearly|annually|regularly|used to|if|unless|in case|any|only on|recurring|same|per|except on|alike|twice an?|rule of thumb|shows?|displays?|lists?|covers|returns?|prints?|selects?|filters?|defaults?|compares?|means|column|field|tab|button|cron|rotation|expires?|retention|policy|only when|born yesterday|today,? gone tomorrow)\\b",
  unsure:
    "roughly|not even|must have been|(?:twen|thir|for|fif)ty|hundred(?: and)?|approx(?:imately|\\.)?|ca\\.?|circa|maybe|perhaps|probably|possibly|a good|just (?:over|under|short of|shy of)|close to|half|quarters? of|thirds? of|or take|easily",
  unsureAfter:
    "or (?:so|two|three|more|less|thereabouts|maybe|perhaps)|and a half|give or take|more or less|,? (?:i (?:think|guess|believe)|roughly)",
  of: "(?<!\\b(?:is|are|was|were|comes?|dates?|stems?|back) )(?:from|of|for|with|to|than|at|like|us(?:e|es|ing))",
  duty: "\\b(?:must|should|shall|needs?|ha(?:s|ve) to|ought to|requires?)\\b",
  which: [
    [
      "\\b(?!(?:say|think|show|mean|know|note|claim|report|confirm|suggest|hope|believe|write)s\\b)\\p{L}{2,}(?<![su])s,? (?:who(?:se)?|which|that(?! (?:the|we|i|you|they|he|she|it|our|an?|this)\\b))\\b[^,;]*",
      "",
    ],
    [
      "(?<=\\p{L}s )what(?:ever)?\\b[^,;]*|\\b(?:with|for|to|of|contains?|includes?|uses?) an? (?:\\p{L}+ ){1,3}(?:who(?:se)?|which|that)\\b[^,;]*",
      "",
    ],
    [
      "\\b\\p{L}{2,}(?<![su])s (?:due|open|\\p{L}{3,}(?:ed|en)|made|sent|built|paid|left|lost|sold)\\b[^,;]*",
      "(?!(?:and|or|but|in|on|at|by|to|for|from|with|because|when|while|after|before|so|that|as|than|of|via|into|about|since|until|without|during|due|again|already|too|only|not|just|which|who|we|i|you|he|she|they|it|the|an?|our)\\b)(?=\\p{L})",
    ],
  ],
  some: [
    "\\b(?:(?:an?|any|every) (?:\\p{L}+ ){1,3}|(?:any|every)(?:one|body) |those )(?:who(?:se)?|which|that)\\b[^,;]*|whoever\\b[^,;]*",
    "",
  ],
  anyOne:
    "(?:(?:an?|any|all|most|every|each) (?:\\p{L}+ ){1,3}|(?!(?:the|our|my|this|that|these|those|his|her|their|its)\\b)(?:\\p{L}+ ){0,2}\\p{L}{2,}(?<![su])s )(?:will|won['’]t|are|is|gets?|receives?|ha(?:s|ve)|comes?|arrives?|reach(?:es)?|ships?)\\b",
  begins: "(?:start|begin|end|launch|move|migrate|freeze|switch|open|close|leave)(?:s|es|ing)?|go(?:es)? live",
  cut: "\\b(?:(?<!\\b(?:going|about|plans?|planning|intends?|scheduled|expected|planned|supposed) )to(?= \\p{L})|but|and|so|because|while|which|then|whereas)\\b|(?<=\\b(?:said|says|told \\p{L}+|thought|knew|heard|agreed|decided|promised|announced|confirmed|mentioned|wrote))(?= (?:that|we|i|you|they|he|she|it|the|our) )",
  week: "week of {day}",
};
