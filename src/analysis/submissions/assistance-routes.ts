import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { ANYONE, Anything, EXAMPLE_IDS, operation } from '../operations/analysis-operation.ts';

/** Serves the summary of a submission by a language model, which this program has no back-end for. */
export const assistanceRoutes: RouteModule = (app) => {
  app.get(
    '/api/v4/submission/ai/:sid/',
    {
      access: { ...ANYONE, roles: ['submission_view'], quota: true, audit: true },
      schema: operation('submission_get_ai_summary', 'Summarise a submission with a language model', {
        description: 'Answers 400: no AI backend can be configured.',
        params: pathParameters({ sid: ['Identifier of the submission.', EXAMPLE_IDS.submission] }),
        reply: Anything,
      }),
    },
    async () => {
      throw new InvalidInput('ai_disabled', 'AI Support is disabled on this system.', { response: {} });
    },
  );
};
