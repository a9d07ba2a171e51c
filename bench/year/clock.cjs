// Preloaded into a process: the clock stands where MEMDIR_BENCH_NOW (ms) says, and goes on from there.
const start = Number(process.env.MEMDIR_BENCH_NOW);
const RealDate = Date;
const shift = start - RealDate.now();
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shift);
    else super(...given);
  }
  static now() {
    return RealDate.now() + shift;
  }
};
