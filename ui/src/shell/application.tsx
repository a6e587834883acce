import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { connection } from '../api/connection.ts';
import { live } from '../api/live.ts';
import { ApiProblem } from '../api/problem.ts';
import { type DisplaySettings, DisplaySettingsContext } from '../design/data/display-settings.ts';
import { NavigateContext } from '../design/data/navigate-context.ts';
import { translate, useTranslation } from '../i18n/translation.ts';
import { CommandProvider } from '../keys/commands.tsx';
import { DEFAULT_KEYS } from '../keys/key-map.ts';
import { missingRight } from './missing-rights.ts';
import { usePreferences } from './preferences.ts';
import { router } from './router.ts';
import { accountQuery, configurationQuery, SessionProvider, type SignedIn } from './session-context.tsx';

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The connection repeats what makes sense to repeat.
      retry: false,
      // The browser calls a program on this machine offline, too, and the connection knows better.
      networkMode: 'always',
      refetchOnWindowFocus: false,
      staleTime: 15_000,
      throwOnError: (error) => !(error instanceof ApiProblem),
    },
    mutations: { networkMode: 'always' },
  },
});

/** Follows a link of markdown or a record to a page. */
const navigate = (path: string) => router.history.push(path);

/** Everything behind the sign-in. */
export function Application({ session, signIn, services }: SignedIn) {
  const { keys = DEFAULT_KEYS, timeZone = 'local', copy = 'plain' } = usePreferences();
  const { language } = useTranslation().i18n;
  const display = useMemo<DisplaySettings>(
    () => ({ zone: timeZone, times: 'relative', copyAs: copy, language }),
    [timeZone, copy, language],
  );
  useEffect(() => () => live.close(), []);
  useEffect(() => {
    connection.explainRefusals((problem) => missingRight(problem, session, translate, language));
  }, [session, language]);
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider value={{ session, signIn, services }}>
        <CommandProvider preferences={keys}>
          <DisplaySettingsContext value={display}>
            <NavigateContext value={navigate}>
              <RouterProvider router={router} context={{ queryClient }} />
            </NavigateContext>
          </DisplaySettingsContext>
        </CommandProvider>
      </SessionProvider>
    </QueryClientProvider>
  );
}

void queryClient.prefetchQuery(accountQuery);
void queryClient.prefetchQuery(configurationQuery);
// The page of the address comes beside the frame, not after it is drawn.
const [routes] = router.getMatchedRoutes(location.pathname);
for (const route of routes) void router.loadRouteChunk(route);
