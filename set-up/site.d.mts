export function pagesOfSite(): Readonly<Record<string, string>>;
export function titleOf(text: string): string;
export function linksForSite(text: string, path: string, pages: Readonly<Record<string, string>>): string;
export function staged(folder: string): void;
