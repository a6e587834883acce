import { networkOf } from '../networks.ts';
import { type AuditEvent, type AuditEventName, shortened } from './audit-log.ts';

/** Events that any caller can cause without limit. All others are written each time. */
const REFUSALS: ReadonlySet<AuditEventName> = new Set<AuditEventName>([
  'login_failed',
  'credential_refused',
  'api_key_refused',
  'token_exchange_failed',
]);
type Fields = readonly (keyof AuditEvent)[];

/** Fields of the events that are left when there are too many to distinguish. */
const ALIKE_ANYWHERE: Fields = ['event', 'service', 'method', 'code'];
const ALIKE: Fields = [...ALIKE_ANYWHERE, 'address'];
/** Fields that equal refusals have in common. */
const EQUAL: Fields = [...ALIKE, 'user', 'by', 'impersonator', 'key', 'provider', 'subject', 'azp', 'target'];

/** Milliseconds in which refusals are counted together. */
export const SUMMARY_INTERVAL = 60_000;
/** Different refusals that are written in that time, for one network and in total. */
export const MAX_PER_NETWORK = 100;
export const MAX_TOTAL = 1000;

interface Counted {
  readonly event: AuditEvent;
  more: number;
}

/**
 * Prevents a flood of refusals from filling the audit log. The first of equal refusals is written at
 * once; the number of others in its minute is one line with `more`. Beyond 100 different refusals of a network and
 * 1,000 in total per minute, refusals are counted without the user name, and finally without the address.
 */
export class RefusalSummaries {
  readonly #write: (event: AuditEvent) => void;
  readonly #counted = new Map<string, Counted>();
  readonly #ofNetwork = new Map<string, number>();
  #different = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param write gets the summaries */
  constructor(write: (event: AuditEvent) => void) {
    this.#write = write;
  }

  /** Returns whether the event is to be written now; otherwise it is counted. */
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

  /** Writes the summaries, and starts a new count. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counted = [...this.#counted.values()];
    this.#counted.clear();
    this.#ofNetwork.clear();
    this.#different = 0;
    for (const { event, more } of counted) if (more > 0) this.#write({ ...event, more });
  }

  #count(event: AuditEvent, fields: Fields): boolean {
    const known = this.#counted.get(keyOf(event, fields));
    if (known) known.more += 1;
    return known !== undefined;
  }

  #begin(event: AuditEvent, fields: Fields, more: number): void {
    const kept = Object.fromEntries(fields.map((field) => [field, shortened(field, event[field])]));
    this.#counted.set(keyOf(event, fields), { event: kept as unknown as AuditEvent, more });
  }
}

function keyOf(event: AuditEvent, fields: Fields): string {
  return JSON.stringify(
    fields.map((field) => event[field] ?? null),
    shortened,
  );
}
