/** Where the kubeconfig of an embedded server is written unless told otherwise. */
export const KUBECONFIG_PATH: string = ".levelset/kubeconfig";
