/** Metrics for Prometheus: counts and times by route, never by name. */
export interface Metrics {
  request(method: string, route: string, status: number, ms: number): void;
  outcome(outcome: string, count: number): void;
  text(nowMs: number): string;
}

const BUCKETS_MS = [1, 3, 10, 30, 100, 300, 1000, 3000];

interface Times {
  readonly within: number[];
  count: number;
  sumMs: number;
}

export function metrics(startedMs: number): Metrics {
  const requests = new Map<string, number>();
  const outcomes = new Map<string, number>();
  const times = new Map<string, Times>();
  const add = (counts: Map<string, number>, name: string, count = 1): void => {
    counts.set(name, (counts.get(name) ?? 0) + count);
  };
  return {
    request(method, route, status, ms) {
      add(requests, `method="${method}",route="${route}",status="${status}"`);
      const labels = `method="${method}",route="${route}"`;
      const one = times.get(labels) ?? { within: BUCKETS_MS.map(() => 0), count: 0, sumMs: 0 };
      times.set(labels, one);
      one.count += 1;
      one.sumMs += ms;
      for (const [place, limit] of BUCKETS_MS.entries())
        if (ms <= limit) one.within[place] = (one.within[place] ?? 0) + 1;
    },
    outcome: (outcome, count) => add(outcomes, `outcome="${outcome}"`, count),
    text: (nowMs) =>
      [
        ...family("memdir_requests_total", "counter", "Requests by method, route and status.", counted(requests)),
        ...family("memdir_changes_total", "counter", "Pushed changes by outcome.", counted(outcomes)),
        ...family("memdir_request_seconds", "histogram", "Time from request to answer.", histogram(times)),
        ...family("memdir_uptime_seconds", "gauge", "Since the server started.", [["", (nowMs - startedMs) / 1000]]),
        ...family("process_resident_memory_bytes", "gauge", "Memory of the process.", [
          ["", process.memoryUsage.rss()],
        ]),
        "",
      ].join("\n"),
  };
}

type Sample = readonly [suffixAndLabels: string, value: number];

function family(name: string, type: string, help: string, samples: readonly Sample[]): readonly string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => `${name}${labels} ${value}`),
  ];
}

function counted(counts: ReadonlyMap<string, number>): readonly Sample[] {
  return [...counts].map(([labels, count]) => [`{${labels}}`, count]);
}

function histogram(times: ReadonlyMap<string, Times>): readonly Sample[] {
  return [...times].flatMap(([labels, { within, count, sumMs }]) => [
    ...BUCKETS_MS.map((ms, place): Sample => [`_bucket{${labels},le="${ms / 1000}"}`, within[place] ?? 0]),
    [`_bucket{${labels},le="+Inf"}`, count] as const,
    [`_sum{${labels}}`, sumMs / 1000] as const,
    [`_count{${labels}}`, count] as const,
  ]);
}
