import { externalSourceSettings } from '../../config/enrichment-settings.ts';
import type { CallContext } from '../../enrichment/sources/call-context.ts';
import type { SourceClient } from '../../enrichment/sources/source-client.ts';
import { SourceDirectory, type SourceDirectoryDependencies } from '../../enrichment/sources/source-directory.ts';
import { type ConfiguredSource, readSourceSettings } from '../../enrichment/sources/source-settings.ts';
import { inputReader } from '../../input/input-reader.ts';
import { anActor } from '../alerts/alert-services.ts';
import { enforcedClassification } from '../analysis/enforced-classification.ts';

/** Returns the description of an action, as a source lists it. */
export const anAction = (id: string, changes: object = {}) => ({
  id,
  name: id,
  classification: 'TLP:CLEAR',
  supported_types: ['domain'],
  params: { type: 'object', properties: {} },
  ...changes,
});

/** Returns the description of a fetcher, as a source lists it. */
export const aFetcher = (id: string, changes: object = {}) => ({
  id,
  classification: 'TLP:CLEAR',
  description: id,
  format: 'markdown',
  supported_types: ['domain'],
  ...changes,
});

export interface OfferingSource extends Partial<SourceClient> {
  /** Default: TLP:CLEAR. */
  readonly classification?: string;
  /** Default: TLP:GREEN. */
  readonly maxClassification?: string;
}

/** Opens sources whose clients are these methods; the others fail. */
export function openOfferingSources(
  sources: Readonly<Record<string, OfferingSource>>,
  changes: Partial<SourceDirectoryDependencies> = {},
) {
  const engine = enforcedClassification;
  const warnings: string[] = [];
  const log = { info() {}, warn: (_entry: object, message: string) => void warnings.push(message), error() {} };
  const directory = new SourceDirectory({
    engine,
    supportedTypes: { has: () => true } as never,
    credentials: { tokenFor: async () => ({}) },
    log,
    ...changes,
  });
  for (const [name, { classification = 'TLP:CLEAR', maxClassification = 'TLP:GREEN', ...client }] of Object.entries(
    sources,
  )) {
    const given = { name, url: 'http://127.0.0.1', classification, max_classification: maxClassification };
    const described = inputReader(externalSourceSettings)(given) as ConfiguredSource;
    const settings = readSourceSettings(described, { engine, origin: 'configured', at: '' });
    directory.add(settings, { close: async () => undefined, ...client } as SourceClient);
  }
  return { directory, engine, log, warnings };
}

/** Returns a caller with a clearance, as routes hand them over. */
export function aCaller(
  classification: string,
  changes: Partial<CallContext> & { readonly username?: string } = {},
): Omit<CallContext, 'deadline'> {
  const { username = 'ana', ...rest } = changes;
  return {
    // Not the demo's classifications, from which `anActor` makes the filters of searches.
    actor: { ...anActor({ username }), classification },
    credential: { kind: 'local' },
    signal: new AbortController().signal,
    ...rest,
  };
}
