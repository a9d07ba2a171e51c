/** What lives for so many days, whenever it begins: "tokens expire in 7 days" names no day, in any language. */
export const LAPSING =
  "tokens?|jetons?|sessions?|sesi[oó]n(?:es)?|sitzung(?:en)?|session[ei]|sess(?:ão|ões)|sessies?|cookies?|caches?|passwords?|passwor[dt]e?r?|contraseñas?|mots? de passe|senhas?|wachtwoord(?:en)?|links?|invitations?|令牌|会话|會話|缓存|密码|链接|トークン|セッション|キャッシュ|パスワード";
