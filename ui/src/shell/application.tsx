import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { live } from '../api/live.ts';
import { ApiProblem } from '../api/problem.ts';
import { type DisplaySettings, DisplaySettingsContext } from '../design/data/display-settings.ts';
import { CommandProvider } from '../keys/commands.tsx';
import { DEFAULT_KEYS, usePreferences } from './preferences.ts';
import { router } from './router.ts';
import { accountQuery, configurationQuery, SessionProvider, type SignedIn } from './session-context.tsx';

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The connection repeats what makes sense to repeat.
      retry: false,
      refetchOnWindowFocus: false,
      staleTime: 15_000,
      throwOnError: (error) => !(error instanceof ApiProblem),
    },
  },
});

/** Everything behind the sign-in. */
export function Application({ session, signIn, services }: SignedIn) {
  const { keys = DEFAULT_KEYS, timeZone = 'local', copy = 'plain' } = usePreferences();
  const display = useMemo<DisplaySettings>(
    () => ({ zone: timeZone, times: 'relative', copyAs: copy }),
    [timeZone, copy],
  );
  useEffect(() => () => live.close(), []);
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider value={{ session, signIn, services }}>
        <CommandProvider preferences={keys}>
          <DisplaySettingsContext value={display}>
            <RouterProvider router={router} context={{ queryClient }} />
          </DisplaySettingsContext>
        </CommandProvider>
      </SessionProvider>
    </QueryClientProvider>
  );
}

void queryClient.prefetchQuery(accountQuery);
void queryClient.prefetchQuery(configurationQuery);
