import type { SecretScanner } from "../../core/shared/secrets/mask.ts";
import { findSecrets } from "../../core/shared/secrets/find-secrets.ts";

/** The scan of core behind the port that notes are judged through. */
export function createSecretScanner(): SecretScanner {
  return { scan: async (text) => findSecrets(text) };
}
