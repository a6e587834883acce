import { networkOf } from '../networks.ts';
import { type AuditEvent, type AuditEventName, shortened } from './audit-log.ts';

/** What anybody can cause as often as they like. Everything else is written each time. */
const REFUSALS: ReadonlySet<AuditEventName> = new Set<AuditEventName>([
  'login_failed',
  'credential_refused',
  'api_key_refused',
  'token_exchange_failed',
]);
/** What makes two refusals equal. */
const EQUAL = [
  ...[
    'event',
    'service',
    'user',
    'by',
    'impersonator',
    'method',
    'code',
    'key',
    'provider',
    'subject',
    'azp',
    'target',
  ],
  'address',
] as const satisfies readonly (keyof AuditEvent)[];
/** What is left of those that are too many to tell apart. */
const ALIKE = ['event', 'service', 'method', 'code', 'address'] as const satisfies readonly (keyof AuditEvent)[];
const ALIKE_ANYWHERE = ['event', 'service', 'method', 'code'] as const satisfies readonly (keyof AuditEvent)[];

/** Milliseconds for which refusals are counted together. */
export const SUMMARY_INTERVAL = 60_000;
/** Different refusals in that time that are written, of one network and of all. */
export const MAX_PER_NETWORK = 100;
export const MAX_TOTAL = 1000;

interface Counted {
  readonly event: AuditEvent;
  more: number;
}

/**
 * Keeps a flood of refusals from filling the audit log. Of refusals that are equal the first is written at once; how many more came until its
 * minute was over is one line then, with `more`. A network has 100 different refusals in a minute, and all together 1,000: what is beyond
 * is counted without the name of the user, at last without the address.
 */
export class RefusalSummaries {
  readonly #write: (event: AuditEvent) => void;
  readonly #counted = new Map<string, Counted>();
  readonly #ofNetwork = new Map<string, number>();
  #different = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param write gets the lines that sum up */
  constructor(write: (event: AuditEvent) => void) {
    this.#write = write;
  }

  /** Whether the event is to be written now; else it is counted. */
  admit(event: AuditEvent): boolean {
    if (!REFUSALS.has(event.event)) return true;
    this.#timer ??= setTimeout(() => this.end(), SUMMARY_INTERVAL).unref();
    if (this.#count(event, EQUAL)) return false;
    const network = networkOf(event.address ?? '');
    const ofNetwork = this.#ofNetwork.get(network) ?? 0;
    if (this.#different < MAX_TOTAL && ofNetwork < MAX_PER_NETWORK) {
      this.#different += 1;
      this.#ofNetwork.set(network, ofNetwork + 1);
      this.#begin(event, EQUAL, 0);
      return true;
    }
    const ofAll = { ...event, address: network.includes(':') ? `${network}::/64` : event.address };
    if (this.#count(ofAll, ALIKE) || this.#count(ofAll, ALIKE_ANYWHERE)) return false;
    this.#begin(ofAll, this.#counted.size < 2 * MAX_TOTAL ? ALIKE : ALIKE_ANYWHERE, 1);
    return false;
  }

  /** Writes what was counted, and begins anew. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counted = [...this.#counted.values()];
    this.#counted.clear();
    this.#ofNetwork.clear();
    this.#different = 0;
    for (const { event, more } of counted) if (more > 0) this.#write({ ...event, more });
  }

  #count(event: AuditEvent, fields: readonly (keyof AuditEvent)[]): boolean {
    const known = this.#counted.get(keyOf(event, fields));
    if (known) known.more += 1;
    return known !== undefined;
  }

  #begin(event: AuditEvent, fields: readonly (keyof AuditEvent)[], more: number): void {
    const kept = Object.fromEntries(fields.map((field) => [field, shortened(field, event[field])]));
    this.#counted.set(keyOf(event, fields), { event: kept as unknown as AuditEvent, more });
  }
}

function keyOf(event: AuditEvent, fields: readonly (keyof AuditEvent)[]): string {
  return JSON.stringify(
    fields.map((field) => event[field] ?? null),
    shortened,
  );
}
