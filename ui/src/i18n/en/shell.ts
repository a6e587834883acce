export const shell = { title: 'Triad' } as const;
