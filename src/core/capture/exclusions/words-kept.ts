import type { WordTable } from "../word-table.ts";

/** Asks for something for good, or forbids it. */
export const RULE: WordTable = {
  words: {
    en: "never|always|must(?:n['’]?t)?|don['’]?t|do not|avoid|only (?:via|through|with|in|after|by|on|when|if|\\p{L}+ may)|forbidden|not allowed|(?:is|are) (?:required|needed|banned)|should(?:n['’]?t)?|ought to|every (?:time|new|change|pr|pull|commit|release)|whenever|each (?:new|time)|prefers?|preferred|(?:wants?|likes?|asks?) (?:every|all|no|each|new|small|short)|does(?:n['’]?t| not) want|corrected|confirmed|liked|approved|keep that|from now on|going forward|(?:i['’]ve |i )(?:told|asked) you|as i said|may not|may only|needs? (?:the|an?|approval|review|sign)|need to be",
    de: "nie(?:mals)?|immer|muss|müssen|darf|dürfen|sollen?|soll(?:te)?n?|verboten|keine|ab jetzt|künftig|grundsätzlich|bevorzug\\p{L}*|lieber",
    fr: "jamais|toujours|doit|doivent|il faut|ne (?:pas|doit)|interdit\\p{L}*|évite[rz]?|désormais|préfèr\\p{L}*",
    es: "nunca|siempre|deben?|hay que|prohibido|evita[r]?|a partir de ahora|prefier\\p{L}*",
    pt: "nunca|sempre|deve[m]?|é preciso|proibido|evit[ae]r?|a partir de agora|prefer\\p{L}*",
    it: "non \\p{L}+ mai|sempre|deve|devono|bisogna|vietato|evita(?:re)?|d'ora in poi|preferi\\p{L}*",
    ru: "никогда|всегда|нельзя|долж\\p{L}+|нужно|надо|запрещ\\p{L}+|обязательно|впредь|только|предпочита\\p{L}+",
    pl: "nigdy|zawsze|nie wolno|musi|muszą|trzeba|należy|zabronion\\p{L}+|tylko|od teraz|wol[eię]\\p{L}*",
  },
  cjk: "永远|始终|总是|一律|必须|禁止|不要|不得|不能|别(?:再|用|改)|应该|务必|只能|必ず|常に|決して|絶対|禁止|しないで|すること|してください|べき|항상|절대|반드시|금지|하지\\s?마|해야",
};

/** Says why, or what follows: the part that no file tells. */
export const REASON: WordTable = {
  words: {
    en: "because|since(?! (?:v?\\d|yesterday|(?:the )?last|then we))|so that|otherwise|or else|due to|that['’]s why|which is why|the reason|in order to|as a result|therefore|(?<=[,;:–—] ?)so(?! far)|so we|so (?:the|our|it|they|nobody|all)|hence|after (?:an?|the) \\p{L}+ (?:broke|incident|outage|let|leak\\p{L}*)|since then|driven by",
    de: "weil|denn|damit|sonst|deshalb|darum|deswegen|daher|wegen|sodass|aufgrund|grund(?:e)? (?:ist|dafür)",
    fr: "parce qu[e']?|car (?:l[ea]s?|il|elle|on|nous|ce|c|l)|puisqu[e']?|sinon|donc|afin (?:de|que)|pour que|à cause d[eu]|c['’]est pourquoi",
    es: "porque|ya que|puesto que|si no|por eso|para que|debido a|así que|por lo que|pues",
    pt: "porque|pois|já que|senão|por isso|para que|devido a|portanto|uma vez que",
    it: "perché|poiché|altrimenti|quindi|perciò|affinché|a causa d\\p{L}+|siccome",
    ru: "потому что|так как|поэтому|иначе|чтобы|из-за|ведь|поскольку",
    pl: "ponieważ|(?<=, )bo|dlatego|inaczej|żeby|aby|z powodu|gdyż",
  },
  cjk: "因为|由于|所以|否则|以免|以便|为了|因此|ため|ので|から(?:です)?[、。]|そのため|理由|때문|그래서|위해|않으면",
};

/** Against what one would expect, or meant so. */
export const SURPRISE: WordTable = {
  words: {
    en: "on purpose|deliberate(?:ly)?|intentional(?:ly)?|by design|although|even though|though|despite|surprising(?:ly)?|counter-?intuitive(?:ly)?|unexpected(?:ly)?|contrary to|looks? (?:dead|unused|wrong|odd|redundant)|seems? (?:dead|unused|wrong|redundant)|not what|is not (?:the|what|read|used)|(?:does|do|is|are|has|have|was|were|can)(?:n['’]t| not)|cannot|except|unless|silently|misleading|trap|gotcha|caveat|beware|careful|quirk|undocumented|only|slow(?:er)?|unreliable|breaks?|blocks?|crashes|fails?|unreachable|ignor(?:es|ed)|dangerous|limit(?:s|ed)?|no longer|nobody|in fact|actually|but(?! also)|yet|even (?:if|when)|whatever|except|instead of|rather than|not tech debt",
    de: "absichtlich|bewusst|obwohl|trotz(?:dem)?|überraschend\\p{L}*|entgegen|vorsicht|achtung|nicht|außer|aber|still(?:schweigend)?|scheinbar|statt",
    fr: "exprès|volontairement|bien que|malgré|étonnamment|contrairement|attention|ne \\p{L}+ pas|n['’]\\p{L}+ pas|sauf|mais|même (?:si|en)|au lieu",
    es: "a propósito|aunque|pese a|a pesar|sorprendentemente|al contrario|cuidado|no (?:se|es|hay|puede|debe|usa|funciona|est[áa]|lo|la)|salvo|pero|incluso|en (?:vez|lugar) de",
    pt: "de propósito|embora|apesar|surpreendentemente|ao contrário|cuidado|não|exceto|mas|mesmo|em vez de",
    it: "apposta|volutamente|sebbene|nonostante|sorprendentemente|contrario|attenzione|non|tranne|ma|anche (?:se|quando)|invece",
    ru: "специально|намеренно|хотя|несмотря|вопреки|осторожно|не|кроме|но|даже|вместо",
    pl: "celowo|umyślnie|choć|chociaż|mimo|pomimo|wbrew|uwaga|nie|oprócz|ale|nawet|zamiast",
  },
  cjk: "故意|特意|虽然|尽管|其实|但是?|却|不是|不(?:会|能|读|用)|没有|除了|反而|即使|注意|わざと|意図的|にもかかわらず|のに|しかし|ただし|ではなく|ません|ないので|注意|일부러|의도적|지만|아니라|않|주의",
};

/** Somebody chose. */
export const DECISION: WordTable = {
  words: {
    en: "decid\\p{L}+|decision|chose|chosen|choose|opted|agreed|settled on|reject\\p{L}+|ruled out|turned down|stay(?:s|ing)? (?:with|on)|stick(?:s|ing)? (?:with|to)|we (?:keep|stay|drop|dropped|reverted|switched)|(?:switched|moved|migrated) (?:from|to|off|away)|in favou?r of|no longer|(?:refuse|require|want|need|ask|insist)(?:s|d|ed)? (?:us|that|it|them)?|deprecat\\p{L}+|sunset\\p{L}*|support(?:s|ed)? until|contract|complian\\p{L}+|audit\\p{L}*|goal|aim|priority|trade-?off",
    de: "entschieden|entscheidung|beschlossen|gewählt|bleib(?:t|en) bei|verworfen|vereinbart|umgestiegen|ziel|vertrag\\p{L}*|gesetz\\p{L}*",
    fr: "décid\\p{L}+|décision|choisi\\p{L}*|on garde|on reste|rejet\\p{L}+|convenu|objectif|contrat|audit\\p{L}*",
    es: "decid\\p{L}+|decisión|eleg\\p{L}+|acordamos|nos quedamos|descart\\p{L}+|objetivo|contrato|auditor\\p{L}*",
    pt: "decid\\p{L}+|decisão|escolh\\p{L}+|acord\\p{L}+|ficámos|ficamos com|descart\\p{L}+|objetivo|contrato|auditor\\p{L}*",
    it: "decis\\p{L}+|deciso|scelt\\p{L}+|restiamo|scartat\\p{L}+|obiettivo|contratto",
    ru: "решил(?:и|а)?|решени\\p{L}+|выбрал\\p{L}*|остаёмся|остаемся|отказ\\p{L}+|договор\\p{L}*|цель",
    pl: "zdecydowa\\p{L}+|decyzj\\p{L}+|wybra\\p{L}+|zostajemy|odrzuci\\p{L}+|ustali\\p{L}+|cel|umow\\p{L}+",
  },
  cjk: "决定|选择了?|约定|放弃|采用|合同|审计|目标|に決め|決めました|決定|ことになりました|採用|契約|監査|목표|결정|선택|하기로|계약",
};

/** Things and people that no repository holds. */
export const OUTSIDE: WordTable = {
  words: {
    en: "vendors?|providers?|suppliers?|customers?|(?:our|the|a) clients?['’]s?|third[- ]part(?:y|ies)|upstream|sandbox|bank|gateway|couriers?|carrier|partners?|legal|finance|accountants?|auditors?|ops team|operations|security team|admins?(?! (?:area|pages?|panel|ui|app|dashboard|screens?|section|routes?|module))|company|corporate|organi[sz]ation|office|vpn|firewall|prox(?:y|ies)|hosting|data cent(?:er|re)|contract|licen[cs]e|certificat(?:e|ion|ions)|quota|rate[- ]limit\\p{L}*|shared runners?|ci runners?|maintenance window|sla|their (?:api|server|side|support|retry|bug)|app store|play store|outlook|safari|hospital|government|gdpr|hipaa|hardware|kernel|firmware|operator",
    de: "anbieter\\p{L}*|hersteller\\p{L}*|kunden?|lieferant\\p{L}*|fremd\\p{L}+|bank|behörde\\p{L}*|finanzamt|steuerprüfer\\p{L}*|prüfer|proxy|firewall|vertrag\\p{L}*|rechtsabteilung|betrieb|sicherheitsteam|firmen\\p{L}+|sap\\p{L}*",
    fr: "fournisseur\\p{L}*|(?:le|la|les|du|des|un|une|notre|nos|au|aux|chaque) client\\p{L}*|prestataire\\p{L}*|banque|transporteur\\p{L}*|hébergeur|proxy|pare-feu|contrat|juridique|comptab\\p{L}+",
    es: "proveedor\\p{L}*|cliente\\p{L}*|banco|transportista\\p{L}*|hacienda|proxy|contrato|equipo de operaciones|contab\\p{L}+",
    pt: "fornecedor\\p{L}*|cliente\\p{L}*|banco|transportadora|receita|finanças|proxy|contrato|alojamento|contab\\p{L}+",
    it: "fornitore\\p{L}*|client[ei]|banca|corriere|proxy|contratto|commercialista",
    ru: "поставщик\\p{L}*|провайдер\\p{L}*|клиент\\p{L}*|заказчик\\p{L}*|банк\\p{L}*|прокси|договор\\p{L}*|бухгалтер\\p{L}*",
    pl: "dostawc\\p{L}+|klient\\p{L}*|bank\\p{L}*|kurier\\p{L}*|proxy|umow\\p{L}+|księgow\\p{L}+|urz[ąę]d\\p{L}*",
  },
  cjk: "供应商|客户|银行|第三方|微信支付|支付宝|运维(?:团队)?|法务|财务|防火墙|代理|合同|銀行|取引先|ベンダー|顧客|運用チーム|法務|監査|業者|은행|고객|업체|운영팀|계약",
};

/** Who to ask, who owns it, who must agree. */
export const PEOPLE: WordTable = {
  words: {
    en: "owns|(?:we|they|i|you) own|owned by|ask (?:him|her|them|me|us|before|first|\\p{L}+ (?:before|first|in|about|for)|in #)|approv\\p{L}+|responsible|belongs to the \\p{L}+ team|maintained by|on[- ]call|sign[- ]off|parental leave|joins?|leaves? (?:the|in|on)",
    de: "gehört (?:dem|der) \\p{L}+team|frag(?:t|en)? \\p{L}+|freigabe|zuständig|verantwortlich",
    fr: "responsable|demande[rz]? à|accord d[eu]|appartient",
    es: "responsable|pregunta a|aprobación|pertenece",
    pt: "responsável|pergunta a|aprovação|pertence",
    it: "responsabile|chiedi a|approvazione",
    ru: "отвечает|ответственн\\p{L}+|спроси\\p{L}*|согласован\\p{L}+",
    pl: "odpowiada|odpowiedzialn\\p{L}+|zapytaj|zgod[ay]",
  },
  cjk: "负责|归.{1,8}团队|批准|担当|承認|に聞|담당|승인",
};
