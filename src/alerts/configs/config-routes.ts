import { Type } from 'typebox';
import type { ApplicationList } from '../../http/application-list.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { AlertIdentity } from '../../identity/alert-identity.ts';
import {
  type BootDocumentDependencies,
  bootDocument,
  classificationDefinition,
  withApplications,
  withKeyLifetime,
} from './boot-document.ts';

export interface ConfigRouteDependencies extends BootDocumentDependencies {
  readonly identity: Pick<AlertIdentity, 'tokenOf'>;
  readonly applications: Pick<ApplicationList, 'all'>;
}

const Anything = Type.Record(Type.String(), Type.Unknown());
const BootReply = Type.Object({
  lookups: Anything,
  configuration: Anything,
  c12nDef: Anything,
  indexes: Anything,
});

/** Serves `/api/v1/configs`, which pages read before a login, and the classification definition. */
export function configRoutes(dependencies: ConfigRouteDependencies): RouteModule {
  const documentWithoutApplications = bootDocument(dependencies);
  const { strict_apikeys: strict } = dependencies.settings.auth.oauth;
  return (app) => {
    app.get(
      '/api/v1/configs/',
      {
        access: 'public',
        schema: { tags: ['configs'], summary: 'What the web interface has to know', response: { 200: BootReply } },
      },
      async ({ headers }) => {
        const apps = await dependencies.applications.all();
        const document = withApplications(documentWithoutApplications, apps);
        const ends = strict ? await endOfToken(headers.authorization, dependencies.identity) : undefined;
        return ends === undefined ? document : withKeyLifetime(document, (ends - Date.now()) / 1000);
      },
    );

    app.get(
      '/api/v1/help/classification_definition',
      {
        access: { privileges: ['E'], roles: ['admin', 'user'] },
        schema: {
          tags: ['help'],
          summary: 'The classifications of this installation',
          response: { 200: Type.Record(Type.String(), Type.Unknown()) },
        },
      },
      async () => classificationDefinition(dependencies.classification),
    );
  };
}

/** Returns the end of the caller's token in milliseconds; undefined without a valid token. */
async function endOfToken(
  authorization: string | undefined,
  identity: Pick<AlertIdentity, 'tokenOf'>,
): Promise<number | undefined> {
  try {
    return (await identity.tokenOf(authorization))?.expires;
  } catch {
    return undefined;
  }
}
