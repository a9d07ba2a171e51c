/** Pushes notes in turn to its spaces for SECONDS; prints how many were accepted. `URL TOKEN SECONDS AT_ONCE SPACE…` */
const [url, token, seconds, atOnce, ...spaces] = process.argv.slice(2);
const end = Date.now() + Number(seconds) * 1_000;
let begun = 0;
let done = 0;

async function work() {
  while (Date.now() < end) {
    const number = begun++;
    const space = spaces[number % spaces.length];
    const id = `${process.pid}-${number}`;
    const lineage = `${process.pid.toString(16).padStart(12, "0")}${number.toString(16).padStart(12, "0")}`;
    const change = { key: `n${id}.md`, lineage, base: 0, state: "live", body: "x".repeat(600) };
    const response = await fetch(`${url}/v1/spaces/${space}/changes`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "idempotency-key": `push-${id}`,
      },
      body: JSON.stringify({ changes: [change] }),
    });
    const { outcomes } = await response.json();
    if (outcomes?.[0]?.outcome !== "done") throw new Error(`${response.status} ${JSON.stringify(outcomes)}`);
    done++;
  }
}

await Promise.all(Array.from({ length: Number(atOnce) }, work));
console.log(done);
