import { codeOf } from "../../core/shared/errors.ts";

/** PostgreSQL asks for the transaction again: it could not be put in an order with others, or was chosen to end a deadlock. */
const AGAIN = new Set(["40001", "40P01"]);
const ATTEMPTS = 5;

/** Runs a whole transaction, again where the database asks for it. `work` depends on nothing but its input. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !AGAIN.has(codeOf(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}
