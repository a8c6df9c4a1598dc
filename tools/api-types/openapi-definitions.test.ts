import { expect, test } from "vitest";
import { parseOpenapiDefinitions } from "./openapi-definitions.ts";

const SOURCE = `package openapi

import (
	examplev1 "k8s.io/api/example/v1"
)

func GetOpenAPIDefinitions(ref common.ReferenceCallback) map[string]common.OpenAPIDefinition {
	return map[string]common.OpenAPIDefinition{
		examplev1.Widget{}.OpenAPIModelName():    schema_k8sio_api_example_v1_Widget(ref),
		examplev1.Reference{}.OpenAPIModelName(): schema_k8sio_api_example_v1_Reference(ref),
	}
}

func schema_k8sio_api_example_v1_Widget(ref common.ReferenceCallback) common.OpenAPIDefinition {
	return common.OpenAPIDefinition{
		Schema: spec.Schema{
			SchemaProps: spec.SchemaProps{
				Type: []string{"object"},
				Properties: map[string]spec.Schema{
					"mode": {
						SchemaProps: spec.SchemaProps{
							Description: "Required: []string{\\"wrong\\"}",
							Enum:        []interface{}{"", "Fast"},
						},
					},
					"parts": {
						VendorExtensible: spec.VendorExtensible{
							Extensions: spec.Extensions{
								"x-kubernetes-list-map-keys": []interface{}{
									"name",
									"port",
								},
								"x-kubernetes-list-type": "map",
							},
						},
						SchemaProps: spec.SchemaProps{
							Items: &spec.SchemaOrArray{
								Schema: &spec.Schema{
									SchemaProps: spec.SchemaProps{
										Ref: ref(examplev1.Part{}.OpenAPIModelName()),
									},
								},
							},
						},
					},
				},
				Required: []string{"mode", "parts"},
			},
		},
	}
}

func schema_k8sio_api_example_v1_Reference(ref common.ReferenceCallback) common.OpenAPIDefinition {
	return common.OpenAPIDefinition{
		Schema: spec.Schema{
			SchemaProps: spec.SchemaProps{
				Type: []string{"object"},
			},
			VendorExtensible: spec.VendorExtensible{
				Extensions: spec.Extensions{
					"x-kubernetes-map-type": "atomic",
				},
			},
		},
	}
}
`;

test("types have their required fields, enums and extensions by import path", () => {
  expect(parseOpenapiDefinitions(SOURCE)).toEqual(
    new Map([
      [
        "k8s.io/api/example/v1.Widget",
        {
          required: ["mode", "parts"],
          mapType: undefined,
          properties: new Map([
            ["mode", { enum: ["", "Fast"], extensions: new Map() }],
            [
              "parts",
              {
                enum: undefined,
                extensions: new Map([
                  ["list-map-keys", ["name", "port"]],
                  ["list-type", ["map"]],
                ]),
              },
            ],
          ]),
        },
      ],
      ["k8s.io/api/example/v1.Reference", { required: [], mapType: "atomic", properties: new Map() }],
    ]),
  );
});
