import type { SecretScanner } from "../../core/shared/secrets/mask.ts";
import { findSecrets } from "../../core/shared/secrets/find-secrets.ts";

/** Core's secret scan behind the port that checks notes. */
export function createSecretScanner(): SecretScanner {
  return { scan: async (text) => findSecrets(text) };
}
