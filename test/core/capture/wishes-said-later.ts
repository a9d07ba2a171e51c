import type { Said } from "./wishes-said.ts";

/** Written after the patterns for the first set, sentence by sentence for each language and not as translations. */
export const WISHES_SAID_LATER: readonly Said[] = [
  {
    language: "en",
    lasting: [
      "oh and for any future work: keep the public API backwards compatible",
      "I've told you twice now, tests go next to the file they test",
      "we don't do default exports around here",
      "please keep responses short, I'm usually reading on my phone",
      "any new env variable has to be added to the sample file as well",
      "treat the vendor folder as read-only, always",
      "run prettier after you touch a markdown file, every time",
    ],
    passing: [
      "undo that, we only want the second hunk",
      "I always get a 502 after the third request",
      "let's not touch auth in this PR",
      "can you remember to also update the header in the same commit?",
      "whenever the user logs out the cart should be emptied",
      "the linter tells me to never use var",
      "add a rule to the parser: numbers must not start with zero",
    ],
  },
  {
    language: "zh",
    lasting: ["以后写测试不要用模拟数据，用真实的样本", "我不喜欢你擅自改文件名，改之前先问我", "代码里所有的日志都用英文，这是团队规范", "回复我的时候直接说结论", "从现在开始，凡是改数据库结构都要写迁移", "提交之前一定要跑 lint，每次都要"],
    passing: ["以后再处理缓存的问题吧", "现在不要动数据库，先看前端", "这个接口每次都超时，怎么回事", "把所有的日志都删掉", "同事说这里应该用队列", "先别提交，我还要看一下"],
  },
  {
    language: "ja",
    lasting: ["僕に聞かずにパッケージを更新しないで。これからもずっと", "説明は簡潔にお願いします、毎回長すぎます", "うちではタブではなくスペース2つを使います", "コミットする前に必ずlintを実行してください", "今後、READMEは英語と日本語の両方を更新すること", "モックは使わないでほしい、いつも本物のAPIで確認したい"],
    passing: ["とりあえずテストは飛ばして先に進めてください", "このボタンは常に画面の右下に表示してください", "リロードするといつも落ちます", "今回はコミットしないでください", "同僚は必ずキャッシュすべきだと言っていました", "次の関数も同じように直して"],
  },
  {
    language: "ko",
    lasting: ["나한테 묻지 않고 패키지 업데이트하지 마, 앞으로도", "설명은 간결하게 해 주세요. 매번 너무 길어요", "우리 팀은 탭 대신 스페이스 두 칸을 씁니다", "커밋하기 전에 반드시 린트를 돌려 주세요", "이제부터 문서는 한국어와 영어 둘 다 업데이트해 줘", "목업 쓰지 말고 항상 실제 API로 확인해 줘"],
    passing: ["일단 테스트는 건너뛰고 진행해 주세요", "이 버튼은 항상 화면 오른쪽 아래에 보여야 합니다", "새로고침하면 항상 죽어요", "이번에는 커밋하지 말아 주세요", "동료가 반드시 캐시해야 한다고 했어요", "다음 함수도 똑같이 고쳐 줘"],
  },
  {
    language: "de",
    lasting: ["Pakete bitte nie ohne Rückfrage aktualisieren", "ich mag es nicht, wenn du Dateien ungefragt umbenennst", "Bei uns gilt: keine Default-Exporte.", "vor jedem Commit bitte den Linter laufen lassen", "antworte mir grundsätzlich auf Deutsch", "Für die Zukunft: Migrationen brauchen immer ein Rollback."],
    passing: ["lass die Tests erstmal weg, wir machen später weiter", "Dieser Knopf soll immer unten rechts stehen.", "nach dem Neuladen stürzt es immer ab", "diesmal bitte nicht committen", "Der Kollege meinte, man müsse da immer cachen.", "mach das Gleiche mit der nächsten Funktion"],
  },
  {
    language: "fr",
    lasting: ["ne mets jamais à jour les paquets sans me demander", "je n'aime pas quand tu renommes des fichiers sans prévenir", "Chez nous c'est deux espaces, jamais de tabulations.", "avant chaque commit lance le linter", "réponds-moi toujours en français", "Note pour la suite : les migrations doivent toujours avoir un rollback."],
    passing: ["laisse tomber les tests pour le moment, on continue", "Ce bouton doit toujours rester en bas à droite.", "après un rechargement ça plante toujours", "ne fais pas de commit cette fois", "Un collègue dit qu'il faut toujours mettre en cache.", "fais pareil avec la fonction suivante"],
  },
  {
    language: "es",
    lasting: ["no actualices nunca los paquetes sin preguntarme", "no me gusta que renombres archivos sin avisar", "Aquí usamos dos espacios, nunca tabuladores.", "antes de cada commit ejecuta el linter", "respóndeme siempre en español", "Para el futuro: las migraciones siempre deben tener rollback."],
    passing: ["deja los tests por ahora, seguimos", "Este botón siempre debe quedar abajo a la derecha.", "después de recargar siempre se cae", "esta vez no hagas commit", "Un compañero dice que siempre hay que cachear.", "haz lo mismo con la siguiente función"],
  },
  {
    language: "pt",
    lasting: ["não atualize nunca os pacotes sem me perguntar", "não gosto que você renomeie arquivos sem avisar", "Aqui a gente usa dois espaços, nunca tabs.", "antes de cada commit rode o linter", "me responda sempre em português", "Para o futuro: as migrações sempre precisam de rollback."],
    passing: ["deixa os testes por enquanto, vamos seguir", "Este botão deve ficar sempre embaixo à direita.", "depois de recarregar sempre quebra", "desta vez não faça commit", "Um colega disse que sempre tem que usar cache.", "faça o mesmo com a próxima função"],
  },
  {
    language: "ru",
    lasting: ["никогда не обновляй пакеты, не спросив меня", "мне не нравится, когда ты переименовываешь файлы без спроса", "У нас принято два пробела, а не табы.", "перед каждым коммитом запускай линтер", "отвечай мне всегда по-русски", "На будущее: у миграций всегда должен быть откат."],
    passing: ["пока пропусти тесты, идём дальше", "Эта кнопка всегда должна быть справа внизу.", "после перезагрузки всё всегда падает", "в этот раз не коммить", "Коллега сказал, что там всегда надо кэшировать.", "сделай то же самое со следующей функцией"],
  },
];
