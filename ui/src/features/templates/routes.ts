import { createRoute } from '@tanstack/react-router';
import { latePage } from '../../shell/late-page.tsx';
import { rootRoute } from '../../shell/root-route.tsx';
import { readLayoutParameters } from '../saved/object-parameters.ts';

const templatesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/templates',
  validateSearch: readLayoutParameters,
  component: latePage(async () => (await import('./templates-page.tsx')).TemplatesPage),
});

export const templateRoutes = [templatesRoute] as const;
