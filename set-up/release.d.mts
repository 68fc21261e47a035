export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly path: string;
  readonly license: string | undefined;
}
export function shippedPackages(folder?: string): readonly ShippedPackage[];
export function unknownLicences(packages: readonly ShippedPackage[]): readonly string[];
export function licenceText(packages: readonly ShippedPackage[], folder?: string): string;
export function audited(ended: { readonly status: number | null; readonly stdout: string }): {
  readonly ok: boolean;
  readonly text: string;
};
