import { Type } from 'typebox';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { flag } from '../../input/input-kinds.ts';
import { PreparedJson } from '../../json/sorted-json.ts';
import { systemConfiguration } from './system-configuration.ts';
import { systemConstants } from './system-constants.ts';

export interface HelpRouteDependencies {
  readonly classification: ClassificationEngine;
  readonly settings: Pick<Settings, 'analysis' | 'ui'>;
}

const ANYONE: GuardedAccess = { privileges: 'by_roles', roles: 'any', quota: 'concurrent' };
const tags = ['help'];

const OriginalQuery = Type.Object({
  original: flag({ description: 'As it is written, not as it is read.', empty: true }),
});
const AnyObject = Type.Record(Type.String(), Type.Unknown());

/** `/api/v4/help`: what a client has to know of the installation. */
export const helpRoutes =
  ({ classification, settings }: HelpRouteDependencies): RouteModule =>
  (app) => {
    const definition = classification.parsedDefinition();
    // The same for everybody, as long as the program runs.
    const parsed = new PreparedJson(definition);
    const original = new PreparedJson(definition.original_definition);
    const configuration = new PreparedJson(systemConfiguration(settings));
    const constants = new PreparedJson(systemConstants());

    app.get(
      '/api/v4/help/classification_definition/',
      {
        access: { ...ANYONE, xsrf: false },
        schema: {
          tags,
          operationId: 'help_get_classification_definition',
          summary: 'The classifications of this installation',
          querystring: OriginalQuery,
          response: { 200: AnyObject },
        },
      },
      async ({ query }) => (query.original ? original : parsed),
    );

    app.get(
      '/api/v4/help/configuration/',
      {
        access: { ...ANYONE, readOnly: false },
        schema: {
          tags,
          operationId: 'help_get_system_configuration',
          summary: 'Limits and choices of this installation, by dotted key',
          response: { 200: AnyObject },
        },
      },
      async () => configuration,
    );

    app.get(
      '/api/v4/help/constants/',
      {
        access: { ...ANYONE, readOnly: false },
        schema: {
          tags,
          operationId: 'help_get_systems_constants',
          summary: 'Priorities, kinds of files and types of tags',
          response: { 200: AnyObject },
        },
      },
      async () => constants,
    );

    app.get(
      '/api/v4/help/tos/',
      {
        access: { ...ANYONE, xsrf: false, beforeTerms: true },
        schema: {
          tags,
          operationId: 'help_get_terms_of_service',
          summary: 'The terms of service in Markdown, or null',
          response: { 200: Type.Union([Type.String(), Type.Null()]) },
        },
      },
      async () => settings.analysis.ui.tos,
    );
  };
