import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Counts requests of one service in its own registry (contract/alert.md section 1.6). */
export class ServiceMetrics {
  readonly registry = new Registry();
  readonly #prefix: string;
  readonly #requests: Counter<'method' | 'path' | 'status'>;
  readonly #accepted: Counter<never>;
  readonly #refused: Counter<'status'>;

  /** @param prefix first word of the names of the program's own metrics: `http.metrics_prefix` */
  constructor(prefix = 'triad') {
    this.#prefix = prefix;
    const labels = ['method', 'path', 'status'] as const;
    this.#requests = this.counter('http_requests_total', 'Requests answered, by method, route and status.', labels);
    this.#accepted = this.counter('auth_success_total', 'Requests whose caller was admitted.', []);
    this.#refused = this.counter('auth_fail_total', 'Requests whose caller was refused, by status.', ['status']);
    collectDefaultMetrics({ register: this.registry });
  }

  /** Creates a counter of the service. Metrics are public: labels never contain stored data. */
  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({
      name: `${this.#prefix}_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
    });
  }

  /** Creates a gauge that `read` fills at every scrape; without values while it fails. */
  gauge(name: string, help: string, label: string, read: () => Promise<ReadonlyMap<string, number>>): void {
    new Gauge({
      name: `${this.#prefix}_${name}`,
      help,
      labelNames: [label],
      registers: [this.registry],
      async collect() {
        this.reset();
        const values = await read().catch(() => new Map<string, number>());
        for (const [value, number] of values) this.set({ [label]: value }, number);
      },
    });
  }

  /** Creates a counter whose totals `read` has, by a label; for code that knows no metrics. */
  totals(name: string, help: string, label: string, read: () => ReadonlyMap<string, number>): void {
    new Counter({
      name: `${this.#prefix}_${name}`,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [value, number] of read()) this.inc({ [label]: value }, number);
      },
    });
  }

  /**
   * Creates a counter or gauge with several labels, which `read` fills at every scrape. Values of equal
   * labels are added. Without values while `read` fails.
   */
  collected(
    kind: 'counter' | 'gauge',
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => Promise<Iterable<readonly [labels: readonly string[], value: number]>>,
  ): void {
    const metric = new { counter: Counter, gauge: Gauge }[kind]({
      name: `${this.#prefix}_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      async collect() {
        const values = await read().catch(() => []);
        metric.reset();
        for (const [labels, value] of values) {
          metric.inc(Object.fromEntries(labelNames.map((label, index) => [label, labels[index] ?? ''])), value);
        }
      },
    });
  }

  /** Creates a histogram of the service. @param buckets upper bounds */
  histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: readonly number[],
  ): Histogram<Label> {
    return new Histogram({
      name: `${this.#prefix}_${name}`,
      help,
      labelNames: [...labelNames],
      buckets: [...buckets],
      registers: [this.registry],
    });
  }

  /** Counts answers of one route; looks its labels up once per status. */
  requestCounter(method: string, path: string): (status: number) => void {
    const byStatus = new Map<number, Counter.Internal>();
    return (status) => {
      let counter = byStatus.get(status);
      if (counter === undefined) {
        counter = this.#requests.labels(method, path, String(status));
        byStatus.set(status, counter);
      }
      counter.inc();
    };
  }

  callerAccepted(): void {
    this.#accepted.inc();
  }

  callerRefused(status: number): void {
    this.#refused.inc({ status: String(status) });
  }

  /** Prometheus text format, version 0.0.4. */
  text(): Promise<string> {
    return this.registry.metrics();
  }
}
