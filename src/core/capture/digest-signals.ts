/**
 * What tells that a typed sentence may matter again. Only looked at where a session has more words than a digest
 * holds, so the list is short and general: each signal is a few words a language, none of a project's own.
 */
export interface DigestSignal {
  readonly name: string;
  readonly weight: number;
  /** Words and phrases, matched whole and in any case; in scripts without spaces wherever they stand. */
  readonly words: readonly string[];
  /** Sentences that it must find. */
  readonly examples: readonly string[];
}

export const DIGEST_SIGNALS: readonly DigestSignal[] = [
  {
    name: "lasting",
    weight: 3,
    words: [
      ..."always|never|remember|from now on|going forward|in future|in the future|next time|every time|whenever|each time|by default|as a rule|keep in mind".split(
        "|",
      ),
      ..."immer|nie|niemals|ab jetzt|in zukunft|künftig|grundsätzlich|merk dir|jedes mal".split("|"),
      ..."toujours|jamais|désormais|à l'avenir|dorénavant|retiens|chaque fois|souviens-toi".split("|"),
      ..."siempre|nunca|a partir de ahora|de ahora en adelante|recuerda|cada vez".split("|"),
      ..."sempre|mai|d'ora in poi|ricorda|ogni volta|a partir de agora|daqui em diante|lembre|jamais".split("|"),
      ..."altijd|nooit|voortaan|onthoud|всегда|никогда|впредь|запомни|отныне|zawsze|nigdy|od teraz|zapamiętaj".split(
        "|",
      ),
      ..."总是|永远|以后|今后|每次|记住|一律|必ず|いつも|常に|今後|これから|覚えて|毎回|항상|절대|앞으로|기억".split(
        "|",
      ),
    ],
    examples: ["Never commit for me.", "Ab jetzt bitte ohne Emojis.", "今後はテストを先に書いて。"],
  },
  {
    name: "person",
    weight: 2,
    words: [
      ..."i|me|i'm|i am|i work|i use|i prefer|i like|i want|i'd like|i'd rather|i hate|i don't like|my|mine|we|we're|we've|our|ours|us|my team".split(
        "|",
      ),
      ..."ich bin|ich mag|ich will|ich möchte|mein|meine|meinem|wir|unser|unsere|unserem|uns".split("|"),
      ..."je suis|je préfère|je veux|mon|ma|mes|nous|notre|nos".split("|"),
      ..."soy|prefiero|quiero|mi|mis|nosotros|nuestro|nuestra|usamos|tenemos".split("|"),
      ..."sono|preferisco|voglio|mio|mia|noi|nostro|nostra|usiamo|sou|prefiro|quero|meu|minha|nós|nosso|nossa".split(
        "|",
      ),
      ..."ik ben|mijn|wij|onze|я|мой|моя|мы|наш|наша|у нас|jestem|wolę|mój|moja|nasz|nasza".split("|"),
      ..."我是|我喜欢|我希望|我的|我们|咱们|私は|私の|僕は|我々|うちの|저는|제가|우리|저희".split("|"),
    ],
    examples: ["Our customers are on an old version.", "Ich bin neu in Rust.", "我们用的是内部镜像。"],
  },
  {
    name: "negation",
    weight: 2,
    words: [
      ..."not|no|don't|do not|doesn't|isn't|shouldn't|can't|cannot|won't|must not|without|avoid|stop|no longer|nothing|none|only|except|unless".split(
        "|",
      ),
      ..."nicht|kein|keine|keinen|ohne|vermeide|nur|außer|ne pas|pas|sans|évite|seulement|sauf".split("|"),
      ..."sin|evita|solo|salvo|non|senza|soltanto|não|sem|evite|somente|apenas|niet|geen|zonder|alleen".split("|"),
      ..."не|нельзя|без|только|кроме|nie|bez|tylko".split("|"),
      ..."不要|别|不能|不用|禁止|只|没有|ない|しないで|禁止|だけ|하지 마|말고|없이|만".split("|"),
    ],
    examples: ["Don't touch the generated files.", "Bitte keine neuen Pakete.", "コメントは書かないで。"],
  },
  {
    name: "correction",
    weight: 2,
    words: [
      ..."instead|rather|actually|wrong|should have|should be|should|must|i told you|i said|i meant|supposed to|again|prefer|better|correct".split(
        "|",
      ),
      ..."stattdessen|sondern|eigentlich|falsch|sollte|soll|muss|lieber|besser|plutôt|faux|devrait|doit|mieux|en fait".split(
        "|",
      ),
      ..."en lugar|mejor|en realidad|debería|debe|incorrecto|invece|meglio|sbagliato|deve|dovrebbe|em vez|melhor|errado|deveria".split(
        "|",
      ),
      ..."in plaats|liever|moet|fout|лучше|вместо|неправильно|должен|надо|нужно|zamiast|lepiej|źle|powinien|musi".split(
        "|",
      ),
      ..."而不是|应该|必须|不对|错了|改成|最好|代わりに|ではなく|べき|違う|ほうがいい|대신|해야|틀렸|아니라".split("|"),
    ],
    examples: ["It should be the internal registry instead.", "Nicht so, sondern mit einem Test zuerst."],
  },
  {
    name: "decision",
    weight: 1,
    words: [
      ..."because|since|so that|the reason|decided|agreed|we use|use|go with|stick with|switched|moved to|deadline|release|due|freeze|until|by the end of|owner|owns|in charge|responsible|ask me|approve".split(
        "|",
      ),
      ..."weil|damit|entschieden|beschlossen|nutzen|bis|frist|parce que|car|décidé|utilise|jusqu'à|porque|decidido|usa|hasta|perché|deciso|até|omdat|besloten|tot".split(
        "|",
      ),
      ..."потому|решили|используем|до|ponieważ|zdecydowali|używamy|因为|决定|采用|使用|截止|なぜなら|ので|決めた|使って|まで|때문|결정|사용|까지".split(
        "|",
      ),
    ],
    examples: ["We decided on Postgres because of the licence.", "Der Release ist bis Freitag eingefroren."],
  },
];

/** With which a person asks to be asked; together with `lasting` these make a wish explicit. */
export const ASKING_WORDS: readonly string[] = [
  ..."ask me before|ask me first|ask before you|check with me before|check with me first|let me review|don't forget|do not forget|bear in mind|note that|for future reference|henceforth|ever again|from here on|from this point on|make it a habit".split(
    "|",
  ),
  ..."frag mich vorher|frag mich, bevor|vergiss nicht|denk daran|ab sofort|nächsten mal|von nun an|voortaan|vergeet niet".split(
    "|",
  ),
  ..."à partir de maintenant|la prochaine fois|la próxima vez|en adelante|da próxima vez|de agora em diante|daqui pra frente".split(
    "|",
  ),
  ..."demande-moi avant|n'oublie pas|garde en tête|pregúntame antes|no olvides|ten en cuenta|pergunte antes|não esqueça|tenha em mente|chiedimi prima|non dimenticare|tieni presente".split(
    "|",
  ),
  ..."в следующий раз|на будущее|с этого момента|następnym razem|na przyszłość".split("|"),
  ..."спрашивай меня|не забывай|имей в виду|pytaj mnie|nie zapominaj|pamiętaj".split("|"),
  ..."先问我|别忘了|下次|请注意|从现在|从今天|先に聞いて|忘れないで|次回|次から|먼저 물어|잊지 마|다음부터|이제부터".split(
    "|",
  ),
];

/** A date, a version or an amount with a unit. */
export const DIGEST_NUMBER = { weight: 1, pattern: /\d/u };
/** An address, a channel, a host, a code span. */
export const DIGEST_ADDRESS = { weight: 2, pattern: /https?:\/\/|\b[\w.+-]+@[\w-]+\.\w|(?<!\w)#[a-z][\w-]+|`[^`]+`/iu };
/** A question of the person's asks; it seldom tells. */
export const DIGEST_QUESTION = { weight: -2, pattern: /[?？]\s*$/u };

/** Words with which a sentence leans on the one before it. */
export const LEANING_WORDS: readonly string[] = [
  ..."this|that|it|these|those|them|they|then|so|same|such|there|he|she|keep it|also|too|and|but|because|otherwise".split(
    "|",
  ),
  ..."das|dies|diese|dieser|es|so|auch|dann|sonst|ça|cela|c'est|ceci|aussi|alors|eso|esto|así|también|entonces".split(
    "|",
  ),
  ..."questo|quello|così|anche|isso|isto|assim|também|dit|dat|zo|ook|это|этот|так|тоже|to|tak|też".split("|"),
  ..."这|这样|那|它|那样|也|これ|それ|その|そう|この|이것|그것|그렇게|그|이".split("|"),
];

/** Whole messages that only say go on, thank, or greet. */
export const EMPTY_WORDS: readonly string[] = [
  ..."ok|okay|yes|yep|yeah|sure|go|ahead|do|it|please|thanks|thank|you|continue|proceed|next|good|great|nice|perfect|cool|fine|hi|hello|hey|now|lgtm|y|looks|done|carry|on|right|works|awesome|and|so".split(
    "|",
  ),
  ..."ja|gut|danke|weiter|bitte|mach|super|hallo|oui|merci|continue|bien|parfait|sí|si|gracias|sigue|bueno|perfecto|grazie|va|bene|continua|sim|obrigado|ótimo|bom".split(
    "|",
  ),
  ..."goed|dank|je|ga|door|да|спасибо|хорошо|продолжай|ок|tak|dzięki|dobrze|dalej".split("|"),
  ..."好|好的|继续|谢谢|可以|行|是|是的|对|はい|ありがとう|続けて|お願いします|네|예|좋아|계속|감사합니다".split("|"),
];
