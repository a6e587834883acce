import type { ClassificationEngine, ParsedDefinition } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import { caseDocument } from '../../documents/kinds/case.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { ASSESSMENTS, STATUSES } from '../../documents/kinds/record-parts.ts';
import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import type { Application } from '../../http/application-list.ts';
import { ROLES } from '../../identity/actor.ts';
import { type OAuthSettings, providerClient } from '../../identity/oauth/provider-client.ts';
import { transitionsFrom } from '../hits/triage/triage-transitions.ts';
import { allFieldCatalogues } from '../search/search-collections.ts';

export interface BootDocumentDependencies {
  readonly settings: Pick<Settings, 'auth' | 'system' | 'mapping' | 'core'>;
  readonly classification: ClassificationEngine;
  readonly version: string;
  /** Lists by name, which win over those of the document: `readLookups`. */
  readonly lookups: Readonly<Record<string, unknown>>;
}

type BootDocument = Readonly<Record<string, unknown>>;

/** Returns what web pages read before a login; one serves all requests (contract/alert.md section 6.5). */
export function bootDocument({ settings, classification, version, lookups }: BootDocumentDependencies): BootDocument {
  const { auth, system, mapping, core } = settings;
  const { enabled, limit_unit, limit_amount } = system.retention;
  return {
    lookups: {
      'case.escalation': valuesOf(caseDocument, 'escalation'),
      'howler.status': valuesOf(hitDocument, 'howler.status'),
      'howler.scrutiny': valuesOf(hitDocument, 'howler.scrutiny'),
      'howler.escalation': valuesOf(hitDocument, 'howler.escalation'),
      'howler.assessment': ASSESSMENTS,
      transitions: Object.fromEntries(STATUSES.map((status) => [status, transitionsFrom(status)])),
      icons: [],
      roles: [...ROLES].sort(),
      ...lookups,
    },
    configuration: {
      auth: {
        allow_apikeys: auth.allow_apikeys,
        allow_extended_apikeys: auth.allow_extended_apikeys,
        max_apikey_duration_amount: auth.max_apikey_duration_amount ?? null,
        max_apikey_duration_unit: auth.max_apikey_duration_unit ?? null,
        oauth_providers: loginProviders(auth.oauth),
        internal: { enabled: auth.internal.enabled },
      },
      system: {
        type: system.type,
        version,
        branch: system.branch,
        commit: system.commit,
        retention: { enabled, limit_unit, limit_amount },
      },
      ui: { apps: [] },
      mapping,
      // Without routes that serve them, pages must not offer notebooks.
      features: { clue: core.clue.enabled, notebook: false },
      clue: { status_checks: core.clue.status_checks },
    },
    c12nDef: classificationDefinition(classification),
    indexes: allFieldCatalogues(),
  };
}

/** Returns the classifications of the installation without the source of their definition. */
export function classificationDefinition(engine: ClassificationEngine): Omit<ParsedDefinition, 'original_definition'> {
  const { original_definition: _source, ...definition } = engine.parsedDefinition();
  return definition;
}

/** Returns the document with the applications that the web interface offers to switch to. */
export function withApplications(document: BootDocument, apps: readonly Application[]): BootDocument {
  return { ...document, configuration: { ...(document.configuration as object), ui: { apps } } };
}

/** Returns the document for keys that end with a token in `seconds` (`auth.oauth.strict_apikeys`). */
export function withKeyLifetime(document: BootDocument, seconds: number): BootDocument {
  const configuration = document.configuration as { readonly auth: object };
  const auth = {
    ...configuration.auth,
    max_apikey_duration_amount: Math.max(0, Math.floor(seconds)),
    max_apikey_duration_unit: 'seconds',
  };
  return { ...document, configuration: { ...configuration, auth } };
}

/** Returns the providers that users can log in through. Those without a secret only verify tokens. */
function loginProviders(oauth: OAuthSettings): readonly string[] {
  if (!oauth.enabled) return [];
  return Object.entries(oauth.providers)
    .filter(([, provider]) => providerClient(provider, 'alerts', oauth).clientSecret !== undefined)
    .map(([name]) => name);
}

function valuesOf(definition: CollectionDefinition<unknown>, path: string): readonly string[] {
  const values = definition.fieldByPath.get(path)?.values;
  if (!values) throw new Error(`${definition.name} has no enumeration ${path}`);
  return values;
}
