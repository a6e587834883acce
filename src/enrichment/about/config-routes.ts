import { Type } from 'typebox';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import { NotFound } from '../../errors/errors.ts';
import type { ApplicationList } from '../../http/application-list.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { PreparedJson } from '../../json/sorted-json.ts';
import { PLUGIN_RESPONSE_SCHEMA } from './plugin-response-schema.ts';

export interface ConfigRouteDependencies {
  readonly settings: Pick<Settings, 'enrichment' | 'system'>;
  readonly classification: ClassificationEngine;
  readonly version: string;
  /** Names of the providers that people can sign in through here. */
  readonly loginProviders: readonly string[];
  readonly applications: ApplicationList;
}

const tags = ['configs'];
const Anything = Type.Record(Type.String(), Type.Unknown());
const BootReply = Type.Object({ configuration: Anything, c12nDef: Anything });

/** Serves `/api/v1/configs` for the web interface (contract/enrichment.md section 3.3). */
export const configRoutes =
  ({ settings, classification, version, loginProviders, applications }: ConfigRouteDependencies): RouteModule =>
  (app) => {
    const c12nDef = new PreparedJson(classification.parsedDefinition());
    const { system, enrichment } = settings;

    app.get(
      '/api/v1/configs/',
      {
        access: 'public',
        schema: { tags, summary: 'Configuration for the web interface', response: { 200: BootReply } },
      },
      async () => ({
        configuration: {
          auth: { oauth_providers: loginProviders },
          system: { version, branch: system.branch, commit: system.commit },
          ui: { apps: await applications.all(), cors_origins: enrichment.cors_origins },
        },
        c12nDef,
      }),
    );

    app.get(
      '/api/v1/configs/schema/:model',
      {
        access: 'public',
        schema: {
          tags,
          summary: 'JSON schema of the answers of sources',
          params: pathParameters({ model: ['Name of the schema.', 'plugin_response'] }),
        },
      },
      async ({ params }) => {
        if (params.model === 'plugin_response') return PLUGIN_RESPONSE_SCHEMA;
        throw new NotFound('schema_missing', 'Not a valid model');
      },
    );
  };
