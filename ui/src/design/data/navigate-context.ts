import { createContext } from 'react';

/** Opens a page of the interface by the router. The shell provides it; otherwise links load the page. */
export const NavigateContext = createContext<((path: string) => void) | undefined>(undefined);
