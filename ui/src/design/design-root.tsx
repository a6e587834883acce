import { CSPProvider } from '@base-ui/react/csp-provider';
import { lazy, type ReactElement, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { isHostWanted, subscribeToHosts } from './overlays/hosts.ts';
import './styles.ts';

// 34 kB (brotli) that the sign-in page does without: loaded when the first tooltip or toast is used.
const TooltipHost = lazy(async () => ({ default: (await import('./overlays/tooltip-host.tsx')).TooltipHost }));
const Toaster = lazy(async () => ({ default: (await import('./overlays/toaster.tsx')).Toaster }));

/**
 * Holds what components need once a page: tooltips, toasts, and the switch that keeps Base UI from
 * writing style elements, which the Content-Security-Policy forbids.
 */
export function DesignRoot({ children }: { readonly children: ReactNode }): ReactElement {
  const hasTooltips = useSyncExternalStore(subscribeToHosts, () => isHostWanted('tooltips'));
  const hasToasts = useSyncExternalStore(subscribeToHosts, () => isHostWanted('toasts'));
  return (
    <CSPProvider disableStyleElements>
      {children}
      <Suspense>{hasTooltips && <TooltipHost />}</Suspense>
      <Suspense>{hasToasts && <Toaster />}</Suspense>
    </CSPProvider>
  );
}
