import { hkdfSync, randomBytes, randomInt } from "node:crypto";
import { bech32 } from "@scure/base";
import { entropyToMnemonic, mnemonicToEntropy } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import type { KeyWrap } from "../../core/sync/keyring.ts";

/** Files that the `age` tool can open too. */
export const ageWrap: KeyWrap = {
  async wrap(text, recipients) {
    const encrypter = new Encrypter();
    for (const recipient of recipients) encrypter.addRecipient(recipient);
    return Buffer.from(await encrypter.encrypt(text)).toString("base64");
  },
  async unwrap(wrapped, identity) {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    try {
      return await decrypter.decrypt(Buffer.from(wrapped, "base64"), "text");
    } catch (error) {
      if (error instanceof Error) return undefined; // encrypted for others, or damaged
      throw error;
    }
  },
};

export interface AgeIdentity {
  /** `AGE-SECRET-KEY-1…` */
  readonly identity: string;
  /** `age1…` */
  readonly recipient: string;
}

export async function newIdentity(): Promise<AgeIdentity> {
  return withRecipient(await generateX25519Identity());
}

const PHRASE_BYTES = 16;
/** 66 bits; stretched when they protect something. */
const DEVICE_WORDS = 6;

/** A key and the twelve words that it is derived from. */
export async function newRecovery(): Promise<AgeIdentity & { readonly phrase: string }> {
  const phrase = entropyToMnemonic(randomBytes(PHRASE_BYTES), wordlist);
  return { phrase, ...(await withRecipient(identityOfPhrase(phrase))) };
}

/** The key in a recovery file, or derived from the words alone; `undefined` when the text holds neither. */
export function recoveryIn(text: string): string | undefined {
  const [identity] = /AGE-SECRET-KEY-1[0-9A-Z]+/u.exec(text) ?? [];
  if (identity !== undefined) return identity;
  const words = text.toLowerCase().match(/[a-z]+/gu) ?? [];
  try {
    return identityOfPhrase(words.slice(-12).join(" "));
  } catch (error) {
    if (error instanceof Error) return undefined; // not words of the list, or one is wrong: the last word is a checksum
    throw error;
  }
}

export function newDeviceWords(): string {
  return Array.from({ length: DEVICE_WORDS }, () => wordlist[randomInt(wordlist.length)]).join("-");
}

function identityOfPhrase(phrase: string): string {
  const secret = hkdfSync("sha256", mnemonicToEntropy(phrase, wordlist), "", "memdir recovery", 32);
  return bech32.encodeFromBytes("AGE-SECRET-KEY-", new Uint8Array(secret)).toUpperCase();
}

async function withRecipient(identity: string): Promise<AgeIdentity> {
  return { identity, recipient: await identityToRecipient(identity) };
}
