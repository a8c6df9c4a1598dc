import type { ObjectIn, ObjectSchema } from "../schema/index.ts";
import { builtIn, choice, given, int32, intOrString, optional, protocol, s, text, texts } from "./field.ts";
import { labelSelector } from "./meta.ts";
import { typedLocalObjectReference } from "./reference.ts";

const ingressBackendFields = {
  service: optional(
    s.object({
      name: given("Name of the service."),
      port: optional(
        s.object({ name: text("Its name."), number: int32("Its number.") }).atomic(),
        "Port of the service.",
      ),
    }),
    "A service.",
  ),
  resource: optional(typedLocalObjectReference, "An object that the controller understands."),
};

/** Who answers: a service or another object. */
export interface IngressBackend extends ObjectIn<typeof ingressBackendFields> {}

/** The schema of `IngressBackend`. */
export const ingressBackend: ObjectSchema<IngressBackend, IngressBackend> = s.object(ingressBackendFields);

/** Leads HTTP requests from outside to services. */
export const Ingress = builtIn({
  group: "networking.k8s.io",
  version: "v1",
  kind: "Ingress",
  description: "Leads HTTP requests from outside to services.",
  shortNames: ["ing"],
  fields: {
    spec: s
      .object({
        ingressClassName: text("The class that fulfils it."),
        rules: optional(
          s
            .array(
              s.object({
                host: text("Name of the host; *. in front for all below it, all hosts unless given."),
                http: optional(
                  s.object({
                    paths: s
                      .array(
                        s.object({
                          path: text("The path."),
                          pathType: s
                            .enum("Exact", "Prefix", "ImplementationSpecific")
                            .describe("How the path is compared."),
                          backend: ingressBackend.describe("Who answers."),
                        }),
                      )
                      .atomic()
                      .describe("Paths, and who answers them."),
                  }),
                  "What happens to its requests.",
                ),
              }),
            )
            .atomic(),
          "Hosts and paths.",
        ),
        defaultBackend: optional(ingressBackend, "Who answers what no rule is about."),
        tls: optional(
          s
            .array(
              s.object({ hosts: texts("Hosts the certificate is for."), secretName: text("Secret that holds it.") }),
            )
            .atomic(),
          "Certificates.",
        ),
      })
      .describe("Which requests lead where."),
    status: optional(
      s.object({
        loadBalancer: optional(
          s.object({
            ingress: optional(
              s
                .array(
                  s.object({
                    ip: text("Its address."),
                    hostname: text("Its name."),
                    ports: optional(
                      s
                        .array(
                          s.object({
                            port: s.int32().describe("Number of the port."),
                            protocol: protocol.describe("Its protocol."),
                            error: text("What went wrong, in one word."),
                          }),
                        )
                        .atomic(),
                      "How its ports fare.",
                    ),
                  }),
                )
                .atomic(),
              "Where it takes requests.",
            ),
          }),
          "The load balancer.",
        ),
      }),
      "Where it takes requests.",
    ),
  },
});

/** A kind of ingress, and who fulfils it. */
export const IngressClass = builtIn({
  group: "networking.k8s.io",
  version: "v1",
  kind: "IngressClass",
  description: "A kind of ingress, and who fulfils it.",
  scope: "Cluster",
  fields: {
    spec: optional(
      s.object({
        controller: text("Who fulfils ingresses of this class, such as example.com/ingress."),
        parameters: optional(
          s.object({
            apiGroup: text("Group of the kind; the core group unless given."),
            kind: given("Kind of the object."),
            name: given("Name of the object."),
            scope: choice("Whether it is in a namespace; Cluster unless given.", "Cluster", "Namespace"),
            namespace: text("Its namespace."),
          }),
          "An object with settings.",
        ),
      }),
      "Who, and with what settings.",
    ),
  },
});

const networkPolicyPeerFields = {
  podSelector: optional(labelSelector, "Pods by label, in the policy's namespace unless namespaceSelector is given."),
  namespaceSelector: optional(labelSelector, "Namespaces by label."),
  ipBlock: optional(
    s.object({ cidr: given("The network."), except: texts("Parts of it that do not count.") }),
    "A network, instead.",
  ),
};

/** The other side of a connection. */
export interface NetworkPolicyPeer extends ObjectIn<typeof networkPolicyPeerFields> {}

/** The schema of `NetworkPolicyPeer`. */
const networkPolicyPeer: ObjectSchema<NetworkPolicyPeer, NetworkPolicyPeer> = s.object(networkPolicyPeerFields);

const networkPolicyPortFields = {
  port: intOrString("Number or name; all ports unless given."),
  endPort: int32("Last number of a range."),
  protocol: optional(protocol, "TCP unless given."),
};

/** Ports of a connection. */
export interface NetworkPolicyPort extends ObjectIn<typeof networkPolicyPortFields> {}

/** The schema of `NetworkPolicyPort`. */
const networkPolicyPort: ObjectSchema<NetworkPolicyPort, NetworkPolicyPort> = s.object(networkPolicyPortFields);

/** Which connections pods may have; everything else is refused. */
export const NetworkPolicy = builtIn({
  group: "networking.k8s.io",
  version: "v1",
  kind: "NetworkPolicy",
  description: "Which connections pods may have; everything else is refused.",
  shortNames: ["netpol"],
  fields: {
    spec: optional(
      s.object({
        podSelector: optional(labelSelector, "The pods it is about; all of the namespace when empty."),
        policyTypes: optional(s.array(s.enum("Ingress", "Egress")).atomic(), "Which directions it governs."),
        ingress: optional(
          s
            .array(
              s.object({
                from: optional(
                  s.array(networkPolicyPeer).atomic(),
                  "Where connections may come from; anywhere unless given.",
                ),
                ports: optional(s.array(networkPolicyPort).atomic(), "Ports they may come to; all unless given."),
              }),
            )
            .atomic(),
          "Connections that may come in.",
        ),
        egress: optional(
          s
            .array(
              s.object({
                to: optional(s.array(networkPolicyPeer).atomic(), "Where connections may go; anywhere unless given."),
                ports: optional(s.array(networkPolicyPort).atomic(), "Ports they may go to; all unless given."),
              }),
            )
            .atomic(),
          "Connections that may go out.",
        ),
      }),
      "The pods, and their connections.",
    ),
  },
});
