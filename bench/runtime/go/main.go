// controller-runtime as a contestant of bench/runtime. It keeps the protocol of program-protocol.mjs; `queue` measures client-go's queue instead.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const (
	namespace   = "bench"
	concurrency = 16
)

var begun = time.Now()

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(mode string) error {
	if mode == "queue" {
		fmt.Println(measureQueue())
		return nil
	}
	log.SetLogger(logr.Discard())
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	config.QPS = -1
	if mode == "configmaps" {
		return follow(config)
	}
	return reconcile(config)
}

func follow(config *rest.Config) error {
	ctx := context.Background()
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return err
	}
	objects, err := cache.New(config, cache.Options{Scheme: scheme, DefaultNamespaces: map[string]cache.Config{namespace: {}}})
	if err != nil {
		return err
	}
	if _, err := objects.GetInformer(ctx, &corev1.ConfigMap{}, cache.BlockUntilSynced(false)); err != nil {
		return err
	}
	go objects.Start(ctx)
	if !objects.WaitForCacheSync(ctx) {
		return fmt.Errorf("the cache did not sync")
	}
	var list corev1.ConfigMapList
	if err := objects.List(ctx, &list, client.UnsafeDisableDeepCopy); err != nil {
		return err
	}
	count := len(list.Items)
	list = corev1.ConfigMapList{}
	return up(count)
}

func reconcile(config *rest.Config) error {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(groupVersion, &Division{}, &DivisionList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: server.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
	})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&Division{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: concurrency}).
		Complete(&reconciler{client: manager.GetClient()})
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	go func() { failed <- manager.Start(context.Background()) }()
	go func() { failed <- up(0) }()
	return <-failed
}

// up tells the benchmark that so many objects are cached, and obeys it until the input ends.
func up(count int) error {
	fmt.Println("up", count, float64(time.Since(begun).Microseconds())/1000)
	orders := bufio.NewScanner(os.Stdin)
	for orders.Scan() {
		debug.FreeOSMemory()
		fmt.Println("collected")
	}
	return orders.Err()
}
