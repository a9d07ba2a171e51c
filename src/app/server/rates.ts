import { buckets, type Rate } from "../../core/server/buckets.ts";
import type { Clock } from "../../core/shared/clock.ts";
import type { Access } from "./audit.ts";

export interface RateLimits {
  readonly deviceReads: Rate;
  readonly deviceWrites: Rate;
  readonly spaceWrites: Rate;
  /** Of one address that sends no valid token. */
  readonly strangers: Rate;
}

export const USUAL_RATES: RateLimits = {
  deviceReads: { perMinute: 600 },
  deviceWrites: { perMinute: 60 },
  spaceWrites: { perMinute: 600 },
  strangers: { perMinute: 60 },
};

/** How often who may ask, in this process. Each gives 0, or the milliseconds to wait. */
export interface Rates {
  read(access: Access): number;
  write(access: Access): number;
  stranger(address: string): number;
}

export function ratesOf(limits: RateLimits, clock: Pick<Clock, "now">): Rates {
  const taken = buckets();
  return {
    read: ({ caller }) => taken.take(`read ${caller.deviceId}`, limits.deviceReads, clock.now()),
    write({ caller, spaceId }) {
      const wait = taken.take(`write ${caller.deviceId}`, limits.deviceWrites, clock.now());
      if (wait > 0 || spaceId === undefined) return wait;
      return taken.take(`space ${spaceId}`, limits.spaceWrites, clock.now());
    },
    stranger: (address) => taken.take(`stranger ${address}`, limits.strangers, clock.now()),
  };
}
