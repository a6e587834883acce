import type { AlertApi } from '../requests/alert-api.ts';
import type { AlertCopies } from '../requests/alert-copies.ts';
import type { AlertWriter } from '../requests/alert-writer.ts';
import type { Capabilities } from './bulk-plan.ts';

/** The ports of work on many alerts. */
export interface BulkDependencies {
  readonly api: AlertApi;
  readonly copies: AlertCopies;
  readonly writer: AlertWriter;
  readonly capabilities: Capabilities;
  /** Listens to the progress of a run of the service. Returns what ends it. */
  readonly onProgress: (requestId: string, listener: (processed: number) => void) => () => void;
  /** Default: the present time. */
  readonly clock?: () => Date;
}
