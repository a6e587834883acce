import { type AlertClient, NoAnswer } from './alert-client.ts';
import type { AlertLedger, AlertRecord } from './alert-ledger.ts';

/** Alerts that a writer keeps at most; beyond that it deletes. */
const MAX_ALERTS = 40;
const BATCH = 5;

/** Writes without a pause, one request after another, to alerts that no other writer changes. */
export class AlertWriter {
  readonly #name: string;
  readonly #ledger: AlertLedger;
  readonly #random: () => number;
  #requests = 0;

  /** `random` from 0 to below 1, so that a run can be repeated. */
  constructor(name: string, ledger: AlertLedger, random: () => number) {
    this.#name = name;
    this.#ledger = ledger;
    this.#random = random;
  }

  /** Until the program no longer answers. */
  async writeUntilKilled(client: AlertClient): Promise<void> {
    try {
      for (;;) await this.#writeOnce(client);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
    }
  }

  async #writeOnce(client: AlertClient): Promise<void> {
    this.#requests += 1;
    const unique = `${this.#name}-${this.#requests}`;
    const own = this.#ownRecords();
    const record = own[Math.floor(this.#random() * own.length)];
    const choice = this.#random();
    if (record === undefined || (choice < 0.15 && own.length < MAX_ALERTS)) {
      await this.#ledger.record({ kind: 'create', batch: unique, count: BATCH }, () => client.create(unique, BATCH));
    } else if (choice < 0.15) {
      const records = own.slice(0, 2 * BATCH);
      const ids = records.map(({ id }) => id);
      await this.#ledger.record({ kind: 'delete', records }, () => client.delete(ids));
    } else if (choice < 0.45) {
      await this.#ledger.record({ kind: 'comment', record, value: unique }, () => client.comment(record.id, unique));
    } else if (choice < 0.75) {
      await this.#ledger.record({ kind: 'update', record, tag: unique }, () => client.update(record.id, unique));
    } else {
      const assigned = !record.assigned;
      await this.#ledger.record({ kind: 'transition', record, assigned }, () =>
        client.transition(record.id, assigned ? 'assign_to_me' : 'release'),
      );
    }
  }

  #ownRecords(): AlertRecord[] {
    return [...this.#ledger.records.values()].filter(({ batch }) => batch.startsWith(`${this.#name}-`));
  }
}
