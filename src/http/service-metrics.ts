import { Counter, collectDefaultMetrics, Registry } from 'prom-client';

/** Prefix of every metric of the program's own. */
const PREFIX = 'triad_';

/** Counts requests of one service in its own registry (contract/alert.md section 1.6). */
export class ServiceMetrics {
  readonly registry = new Registry();
  readonly #requests: Counter<'method' | 'path' | 'status'>;
  readonly #accepted: Counter;
  readonly #refused: Counter<'status'>;

  constructor() {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.#requests = new Counter({
      name: `${PREFIX}http_requests_total`,
      help: 'Requests answered, by method, route and status.',
      labelNames: ['method', 'path', 'status'],
      registers,
    });
    this.#accepted = new Counter({
      name: `${PREFIX}auth_success_total`,
      help: 'Requests whose caller was admitted.',
      registers,
    });
    this.#refused = new Counter({
      name: `${PREFIX}auth_fail_total`,
      help: 'Requests whose caller was refused, by status.',
      labelNames: ['status'],
      registers,
    });
  }

  /** Creates a counter of the service. Metrics are public: labels never contain stored data. */
  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name: `${PREFIX}${name}`, help, labelNames: [...labelNames], registers: [this.registry] });
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
